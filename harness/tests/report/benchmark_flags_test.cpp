#include "report/benchmark_flags.hpp"

#include <gtest/gtest.h>

#include "error_of.hpp"
#include "scoped_directory.hpp"
#include "scoped_environment.hpp"

namespace zl {
namespace {

using test::error_of;
using test::ScopedDirectory;
using test::ScopedEnvironment;

/// The usage error's text; empty where the flags are taken.
std::string refusal(const std::vector<std::string>& args) {
  const auto error = error_of([&] { validate_benchmark_flags(args); });
  if (!error) return "";
  EXPECT_EQ(error->errc, Errc::usage);
  return error->what();
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(BenchmarkFlags, AreReadAndTheLastWins) {
  const ScopedDirectory directory;
  const BenchmarkFlags flags = validate_benchmark_flags(
      {"--benchmark_format=csv", "--benchmark_format=json", "--benchmark_filter=-mm",
       "--benchmark_out=" + (directory / "o.json"), "--benchmark_out_format=csv",
       "--benchmark_list_tests", "--benchmark_color=false", "--benchmark_counters_tabular=yes",
       "--benchmark_report_aggregates_only=1", "--benchmark_display_aggregates_only=false",
       "--benchmark_context=a=b,c=d", "--benchmark_time_unit=ms"});
  EXPECT_EQ(flags.format, "json");
  EXPECT_TRUE(flags.document_on_stdout());
  EXPECT_EQ(flags.filter, "-mm");
  EXPECT_EQ(flags.out, directory / "o.json");
  EXPECT_EQ(flags.out_format, "csv");
  EXPECT_TRUE(flags.list_tests);
  EXPECT_EQ(flags.color, "false");
  EXPECT_TRUE(flags.counters_tabular);
  EXPECT_TRUE(flags.report_aggregates_only);
  EXPECT_FALSE(flags.display_aggregates_only);
  EXPECT_EQ(flags.context, "a=b,c=d");
  EXPECT_EQ(flags.time_unit, "ms");
  EXPECT_TRUE(directory.names().empty());
}

TEST(BenchmarkFlags, HaveAConsoleByDefault) {
  const BenchmarkFlags flags = validate_benchmark_flags({});
  EXPECT_EQ(flags.format, "console");
  EXPECT_FALSE(flags.document_on_stdout());
  EXPECT_FALSE(flags.list_tests);
}

TEST(BenchmarkFlags, BadValuesNameTheFlagAndWhatIsAllowed) {
  EXPECT_EQ(refusal({"--benchmark_format=xml"}),
            "--benchmark_format=xml: expected one of console, json, csv");
  EXPECT_EQ(refusal({"--benchmark_out_format="}),
            "--benchmark_out_format=: expected one of json, console, csv");
  EXPECT_EQ(refusal({"--benchmark_list_tests=maybe"}),
            "--benchmark_list_tests=maybe: expected true or false");
  EXPECT_EQ(refusal({"--benchmark_filter"}), "--benchmark_filter needs a value");
  EXPECT_EQ(refusal({"--benchmark_fliter=x"}), "unknown flag --benchmark_fliter");
  EXPECT_EQ(refusal({"--filter=x"}), "unknown flag --filter");
  EXPECT_TRUE(contains(refusal({"--benchmark_context=a"}), "key=value"));
  EXPECT_TRUE(contains(refusal({"--benchmark_time_unit=h"}), "ns, us, ms, s"));
  EXPECT_TRUE(contains(refusal({"--benchmark_color=green"}), "auto"));
}

TEST(BenchmarkFlags, ABadExpressionIsRefused) {
  for (const char* filter : {"[", "(", "-(", "*"}) {
    EXPECT_TRUE(contains(refusal({std::string("--benchmark_filter=") + filter}),
                         "not an extended regular expression"))
        << filter;
  }
  EXPECT_EQ(refusal({"--benchmark_filter=-"}), "");
  // What std::regex would overflow the stack over.
  EXPECT_TRUE(contains(refusal({"--benchmark_filter=" + std::string(100000, '(')}),
                       "100000 groups, allowed: at most 1000 and 100"));
  EXPECT_TRUE(contains(refusal({"--benchmark_filter=" + std::string(1001, 'a')}),
                       "it has 1001 characters"));
  EXPECT_EQ(refusal({"--benchmark_filter=" + std::string(1000, 'a')}), "");
}

TEST(BenchmarkFlags, AnOutputFileThatCannotBeMadeIsRefused) {
  const ScopedDirectory directory;
  EXPECT_TRUE(contains(refusal({"--benchmark_out=" + (directory / "no/o.json")}), "no/o.json"));
  EXPECT_TRUE(contains(refusal({"--benchmark_out=" + directory.path}), "directory"));
  EXPECT_EQ(refusal({"--benchmark_out=/dev/null"}), "");
}

TEST(BenchmarkFlags, WhatWouldRuleTheMeasurementIsRefusedAndNamesWhatToUse) {
  EXPECT_TRUE(contains(refusal({"--benchmark_repetitions=5"}), "--zl_rep_ms"));
  EXPECT_TRUE(contains(refusal({"--benchmark_min_time=1"}), "--zl_rep_ms"));
  EXPECT_TRUE(contains(refusal({"--benchmark_min_warmup_time=1"}), "--zl_warmup_ms"));
  EXPECT_TRUE(contains(refusal({"--benchmark_enable_random_interleaving"}), "--zl_versus"));
  EXPECT_TRUE(contains(refusal({"--benchmark_perf_counters=CYCLES"}), "--zl_in_process"));
  EXPECT_TRUE(contains(refusal({"--benchmark_dry_run"}), "--benchmark_list_tests"));
}

TEST(BenchmarkFlags, TheEnvironmentIsReadAndAFlagWins) {
  const ScopedEnvironment format("BENCHMARK_FORMAT", "json");
  EXPECT_EQ(validate_benchmark_flags({}).format, "json");
  EXPECT_EQ(validate_benchmark_flags({"--benchmark_format=csv"}).format, "csv");
  const ScopedEnvironment bad("BENCHMARK_TIME_UNIT", "weeks");
  EXPECT_TRUE(contains(refusal({}), "BENCHMARK_TIME_UNIT=weeks"));
}

TEST(BenchmarkFlags, TheEnvironmentOfRefusedFlagsIsNoError) {
  const ScopedEnvironment repetitions("BENCHMARK_REPETITIONS", "5");
  EXPECT_EQ(refusal({}), "");
}

TEST(BenchmarkFilter, IsGoogleBenchmarks) {
  const std::string name = "mm/own/f16/384x384x384";
  EXPECT_TRUE(filter_matches("", name));
  EXPECT_TRUE(filter_matches("all", name));
  EXPECT_TRUE(filter_matches(".", name));
  EXPECT_TRUE(filter_matches("own", name));
  EXPECT_TRUE(filter_matches("^mm/(own|lt)/.*384$", name));
  EXPECT_FALSE(filter_matches("^own", name));
  EXPECT_FALSE(filter_matches("manual_time|repeats|iterations", name));
  EXPECT_FALSE(filter_matches("-own", name));
  EXPECT_TRUE(filter_matches("-lt", name));
  EXPECT_FALSE(filter_matches("-", name));
}

TEST(BenchmarkFilter, WithoutAMatchIsAUsageError) {
  const std::vector<std::string> names = {"a/1", "b/1", "a/2"};
  EXPECT_EQ(filtered("^a", names), (std::vector<std::size_t>{0, 2}));
  EXPECT_EQ(filtered("-^a", names), (std::vector<std::size_t>{1}));
  EXPECT_EQ(filtered("", names), (std::vector<std::size_t>{0, 1, 2}));
  const auto error = error_of([&] { filtered("c", names); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->errc, Errc::usage);
  EXPECT_TRUE(contains(error->what(), "--benchmark_filter=c matches none of 3 cases"));
}

}  // namespace
}  // namespace zl
