// --zl_profile and ZL_VERBOSE=1 as a person at a terminal meets them.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "fake_run.hpp"

namespace zl {
namespace {

using test::Outcome;
using test::run;

TEST(ProfileProcess, TheCaseIsSaidToBeProfiledAndNoNumberIsGivenOrStored) {
  const std::string results = testing::TempDir() + "zl-profile-results";
  std::filesystem::remove_all(results);
  // A device of its own: to wait for another test's would be said.
  const Outcome outcome =
      run("", "--zl_profile --zl_result_dir=" + results + " --zl_baseline=" + results,
          "ZL_FAKE_UUID=profiled");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
  EXPECT_EQ(outcome.output,
            "twice/own/f32/4096: profiled: one call between the profiler's start and stop, in the "
            "range 'twice/own/f32/4096'. No number: under a profiler none would be true\n");
  EXPECT_FALSE(std::filesystem::exists(results));
}

TEST(ProfileProcess, ItRunsInTheProcessThatTheProfilerStarted) {
  const Outcome outcome = run("call=start_profiler crash", "--zl_profile");
  EXPECT_NE(outcome.exit_code, 0);
  EXPECT_FALSE(outcome.says("crashed")) << "a supervisor saw it: " << outcome.output;
}

TEST(ProfileProcess, AProfilerThatDoesNotStartIsAUsageError) {
  const Outcome outcome = run("call=start_profiler code=801", "--zl_profile");
  EXPECT_EQ(outcome.exit_code, 2) << outcome.output;
  EXPECT_TRUE(outcome.says("usage: --zl_profile: the profiler does not start")) << outcome.output;
}

TEST(ProfileProcess, AnyOtherVerdictKeepsItsExitCode) {
  EXPECT_EQ(run("call=kernel phase=warmup code=700 kills", "--zl_profile").exit_code, 4);
  EXPECT_EQ(run("", "--zl_profile", "ZL_FAKE_NO_DEVICE=1").exit_code, 77);
}

std::size_t position(const Outcome& outcome, const std::string& text) {
  const std::size_t found = outcome.output.find(text);
  EXPECT_NE(found, std::string::npos) << text << " is not in " << outcome.output;
  return found;
}

TEST(Verbose, EachPhaseIsToldWithItsTimeInOrder) {
  for (const std::string flags : {"", "--zl_in_process"}) {
    const Outcome outcome = run("", flags, "ZL_VERBOSE=1");
    EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
    std::size_t before = 0;
    for (const std::string phase :
         {"gate", "sync", "verify", "warmup", "capture", "instantiate", "replay"}) {
      const std::size_t at = position(outcome, "zl-bench: " + phase + ": ");
      EXPECT_LE(before, at) << phase;
      before = at;
      EXPECT_EQ(outcome.output.substr(outcome.output.find('\n', at) - 3, 3), " ms");
    }
    EXPECT_LT(before, position(outcome, "name=\"latency_us\""));
  }
  EXPECT_FALSE(run("").says("zl-bench: "));
}

}  // namespace
}  // namespace zl
