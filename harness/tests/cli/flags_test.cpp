#include "cli/flags.hpp"

#include <gtest/gtest.h>

#include "usage_error.hpp"

namespace zl {
namespace {

Invocation parse(const std::vector<std::string>& flags) {
  std::vector<std::string> argv = {"zl_mm_cuda"};
  argv.insert(argv.end(), flags.begin(), flags.end());
  return parse_invocation(argv, {}, {});
}

TEST(Flags, EveryChoiceIsTheEnumeratorOfItsName) {
  using M = MethodChoice;
  using C = CacheChoice;
  using R = ReturnMode;
  const auto method = [](const char* v) {
    return parse({"--zl_method=" + std::string(v)}).options.method;
  };
  const auto cache = [](const char* v) {
    return parse({"--zl_cache=" + std::string(v)}).options.cache;
  };
  const auto mode = [](const char* v) {
    return parse({"--zl_return_mode=" + std::string(v)}).options.return_mode;
  };
  EXPECT_EQ(method("auto"), M::automatic);
  EXPECT_EQ(method("graph"), M::graph);
  EXPECT_EQ(method("direct"), M::direct);
  EXPECT_EQ(cache("auto"), C::automatic);
  EXPECT_EQ(cache("cold"), C::cold);
  EXPECT_EQ(cache("warm"), C::warm);
  EXPECT_EQ(cache("mixed"), C::mixed);
  EXPECT_EQ(mode("mean"), R::mean);
  EXPECT_EQ(mode("median"), R::median);
  EXPECT_EQ(mode("min"), R::min);
  EXPECT_EQ(mode("max"), R::max);
  EXPECT_EQ(mode("all"), R::all);
  EXPECT_EQ(parse({"--zl_schedule=adaptive"}).options.schedule, ScheduleKind::adaptive);
  EXPECT_EQ(parse({"--zl_schedule=reference"}).options.schedule, ScheduleKind::reference);
  EXPECT_EQ(parse({"--zl_sustained=auto"}).options.sustained, SustainedChoice::automatic);
  EXPECT_EQ(parse({"--zl_sustained=on"}).options.sustained, SustainedChoice::on);
  EXPECT_EQ(parse({"--zl_sustained=off"}).options.sustained, SustainedChoice::off);
}

TEST(Flags, NumbersTextsAndSwitchesReachTheirFields) {
  const Invocation all = parse(
      {"--zl_case=own/f16/1x2x3", "--zl_warmup_ms=1.5", "--zl_warmup_cap=500", "--zl_rep_ms=20",
       "--zl_quantiles=0.5,0.2,1", "--zl_seed=18446744073709551615", "--zl_deny_capture",
       "--zl_versus=cublaslt", "--zl_result_dir=out", "--zl_tags", "--zl_timeout_s=60",
       "--zl_phase_limit_s=0.25", "--zl_lock_wait_s=0", "--zl_in_process"});
  EXPECT_EQ(all.case_name, "own/f16/1x2x3");
  EXPECT_EQ(all.options.warmup_ms, 1.5);
  EXPECT_EQ(all.options.warmup_cap, 500);
  EXPECT_EQ(all.options.rep_ms, 20);
  EXPECT_EQ(all.options.quantiles, (std::vector<double>{0.5, 0.2, 1}));
  EXPECT_EQ(all.options.seed, 18446744073709551615u);
  EXPECT_TRUE(all.options.deny_capture);
  EXPECT_EQ(all.options.versus, "cublaslt");
  EXPECT_EQ(all.report.result_dir, "out");
  EXPECT_TRUE(all.report.tags);
  EXPECT_EQ(all.limits.timeout_s, 60);
  EXPECT_EQ(all.limits.phase_limit_s, 0.25);
  EXPECT_EQ(all.limits.lock_wait_s, 0);
  EXPECT_TRUE(all.in_process);
  EXPECT_FALSE(all.help);
}

TEST(Flags, FilesOfOneCaseAndTheProfilerReachTheirFields) {
  const std::string folder = testing::TempDir();
  const Invocation files =
      parse({"--zl_dump_graph=" + folder + "/g.dot", "--zl_samples=" + folder + "/s.csv"});
  EXPECT_EQ(files.options.dump_graph, folder + "/g.dot");
  EXPECT_EQ(files.report.samples, folder + "/s.csv");
  EXPECT_TRUE(files.options.keep_sustained);
  EXPECT_FALSE(files.options.profile);
  EXPECT_FALSE(files.in_process);
  const Invocation off =
      parse({"--zl_dump_graph=" + folder + "/g.dot",
             "--zl_dump_graph=", "--zl_samples=" + folder + "/s.csv", "--zl_samples="});
  EXPECT_EQ(off.options.dump_graph, "");
  EXPECT_EQ(off.report.samples, "");
  EXPECT_FALSE(off.options.keep_sustained);
  EXPECT_TRUE(parse({"--zl_profile"}).options.profile);
}

TEST(Flags, DefaultsAreThoseOfTheContract) {
  const Invocation none = parse({});
  EXPECT_EQ(none.options.method, MethodChoice::automatic);
  EXPECT_EQ(none.options.cache, CacheChoice::automatic);
  EXPECT_EQ(none.options.schedule, ScheduleKind::adaptive);
  EXPECT_EQ(none.options.sustained, SustainedChoice::automatic);
  EXPECT_EQ(none.options.warmup_ms, 25);
  EXPECT_EQ(none.options.warmup_cap, 200);
  EXPECT_EQ(none.options.rep_ms, 100);
  EXPECT_FALSE(none.options.quantiles);
  EXPECT_EQ(none.options.return_mode, ReturnMode::mean);
  EXPECT_EQ(none.options.seed, 0u);
  EXPECT_FALSE(none.options.deny_capture);
  EXPECT_EQ(none.limits.timeout_s, 300);
  EXPECT_EQ(none.limits.phase_limit_s, 60);
  EXPECT_EQ(none.limits.lock_wait_s, 240);
  EXPECT_FALSE(none.report.tags);
  EXPECT_EQ(none.report.result_dir, "");
  EXPECT_FALSE(none.is_worker());
}

TEST(Flags, AnEmptyListOfQuantilesIsAList) {
  EXPECT_EQ(parse({"--zl_quantiles="}).options.quantiles, std::vector<double>{});
}

TEST(Flags, ASwitchCanBeTurnedOffAgain) {
  EXPECT_FALSE(parse({"--zl_deny_capture", "--zl_deny_capture=off"}).options.deny_capture);
  EXPECT_TRUE(parse({"--zl_tags=on"}).report.tags);
}

TEST(Flags, ABadValueIsAUsageErrorWithFlagValueAndWhatIsAllowed) {
  const std::vector<std::pair<std::string, std::string>> bad = {
      {"--zl_method=magic", "auto|graph|direct"},
      {"--zl_cache=hot", "auto|cold|warm|mixed"},
      {"--zl_schedule=", "adaptive|reference"},
      {"--zl_sustained=1", "auto|on|off"},
      {"--zl_return_mode=avg", "mean|median|min|max|all"},
      {"--zl_warmup_ms=nan", "from 0"},
      {"--zl_warmup_ms=inf", "from 0"},
      {"--zl_warmup_ms=-1", "from 0"},
      {"--zl_warmup_ms=1e999", "from 0"},
      {"--zl_warmup_ms=25ms", "from 0"},
      {"--zl_warmup_cap=4", "from 5"},
      {"--zl_warmup_cap=1e3", "from 5"},
      {"--zl_warmup_cap=99999999999999999999", "from 5"},
      {"--zl_rep_ms=", "from 0"},
      {"--zl_quantiles=0.5,1.5", "from 0 to 1"},
      {"--zl_quantiles=nan", "from 0 to 1"},
      {"--zl_quantiles=-0.1", "from 0 to 1"},
      {"--zl_quantiles=0.5,", "from 0 to 1"},
      {"--zl_seed=-1", "from 0"},
      {"--zl_seed=18446744073709551616", "from 0"},
      {"--zl_timeout_s=0", "from 0.001"},
      {"--zl_phase_limit_s=-1", "from 0.001"},
      {"--zl_lock_wait_s=x", "from 0"},
      {"--zl_tags=maybe", "off|on"},
      {"--zl_case=", "IMPL/TYPES/SHAPE"},
      {"--zl_profile=1", "off|on"},
      {"--zl_dump_graph=/no/such/folder/g.dot", "a file in a directory that exists"},
      {"--zl_samples=/", "this is a directory"},
  };
  for (const auto& one : bad) {
    const std::string error = usage_error([&one] { parse({one.first}); });
    expect_mentions(error, one.first);
    expect_mentions(error, one.second);
  }
}

TEST(Flags, AMissingValueIsAUsageError) {
  expect_mentions(usage_error([] { parse({"--zl_seed", "3"}); }), "--zl_seed");
  expect_mentions(usage_error([] { parse({"--zl_quantiles"}); }), "--zl_quantiles");
}

TEST(Flags, AnUnknownArgumentIsAUsageErrorThatNamesIt) {
  for (const std::string argument : {"--zl_metod=graph", "--zl_", "mm", "--", ""}) {
    expect_mentions(usage_error([&argument] { parse({argument}); }), "'" + argument + "'");
  }
}

TEST(Flags, HelpHasAShortName) { EXPECT_TRUE(parse({"-h"}).help); }

TEST(Flags, HelpFitsAScreenAndShowsEveryFlagThatIsForPeople) {
  const std::string help = help_text("zl_mm_cuda");
  for (const Flag& flag : flags()) {
    const bool shown = help.find("  " + std::string(flag.name)) != std::string::npos;
    EXPECT_EQ(shown, !flag.help.empty()) << flag.name;
  }
  std::size_t lines = 0;
  std::size_t column = 0;
  for (const std::string_view line : split(help, '\n')) {
    EXPECT_LE(line.size(), 100u) << line;
    ++lines;
    if (line.rfind("  --zl_", 0) != 0) continue;
    const std::size_t text = line.find_first_not_of(' ', line.find(' ', 2));
    if (column == 0) column = text;
    EXPECT_EQ(text, column) << line;
  }
  EXPECT_LE(lines, 35u);
}

}  // namespace
}  // namespace zl
