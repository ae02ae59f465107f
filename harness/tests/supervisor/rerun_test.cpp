#include <gtest/gtest.h>

#include "supervised_case.hpp"
#include "supervisor/compose.hpp"

namespace zl {
namespace {

TEST_F(SupervisedCase, ACaptureThatKillsTheContextIsPoisonedWhereTheKernelRuns) {
  testing::internal::CaptureStdout();
  const Result result = run("poisoned_ok");
  const std::string out = testing::internal::GetCapturedStdout();
  EXPECT_EQ(out,
            "BENCHMARK_CAPTURE_POISONED op=scripted phase=replay reason=FirstFailure "
            "detail='scriptCall: it was told to'\n");
  EXPECT_EQ(result.verdict, Verdict::capture_poisoned);
  EXPECT_TRUE(result.metrics.empty());
  EXPECT_TRUE(result.samples_ms.empty());
  EXPECT_TRUE(mentions(result.message, "12.5 us")) << result.message;
  EXPECT_TRUE(mentions(result.message, "ZL_ENABLE_CUDAGRAPH=0")) << result.message;
  EXPECT_TRUE(mentions(result.message, "DENY_CAPTURE scripted in zl_add_perf_test(OP scripted"))
      << result.message;
}

TEST_F(SupervisedCase, TheMarkersOpIsTheOneOfTheEnvironment) {
  ::setenv("FLAGGEMS_PERF_CURRENT_OP", "another", 1);
  testing::internal::CaptureStdout();
  run("poisoned_ok");
  const std::string out = testing::internal::GetCapturedStdout();
  ::unsetenv("FLAGGEMS_PERF_CURRENT_OP");
  EXPECT_TRUE(mentions(out, " op=another ")) << out;
}

TEST_F(SupervisedCase, AFailureInBothRunsIsTheKernelsAndNamesBoth) {
  const Result result = run("poisoned_fails");
  EXPECT_EQ(result.verdict, Verdict::kernel_failed);
  EXPECT_TRUE(mentions(result.message, "FirstFailure")) << result.message;
  EXPECT_TRUE(mentions(result.message, "SecondFailure")) << result.message;
}

TEST_F(SupervisedCase, ASkipInTheSecondRunLeavesItUndecided) {
  const Result result = run("poisoned_skipped");
  EXPECT_EQ(result.verdict, Verdict::kernel_failed);
  EXPECT_TRUE(mentions(result.message, "FirstFailure")) << result.message;
  EXPECT_TRUE(mentions(result.message, "undecided")) << result.message;
}

TEST_F(SupervisedCase, TheSecondRunsOwnVerdictWins) {
  EXPECT_EQ(run("poisoned_wrong").verdict, Verdict::wrong_result);
  const Result crashed = run("poisoned_segv");
  EXPECT_EQ(crashed.verdict, Verdict::crashed);
  EXPECT_TRUE(mentions(crashed.message, "FirstFailure")) << crashed.message;
  const Result hung = run("poisoned_hang", {"--zl_phase_limit_s=0.6"});
  EXPECT_EQ(hung.verdict, Verdict::hung);
  EXPECT_EQ(hung.failure->phase, Phase::direct);
}

Result dead_in(Phase phase) {
  Result result;
  result.verdict = Verdict::kernel_failed;
  result.context_dead = true;
  result.failure = Failure{phase, "Dead", "call: text"};
  return result;
}

TEST(Rerun, OnlyAContextThatDiedUnderACaptureOrReplayIsWorthOne) {
  for (const Phase phase : {Phase::capture, Phase::instantiate, Phase::replay}) {
    EXPECT_TRUE(needs_rerun(dead_in(phase))) << name(phase);
  }
  for (const Phase phase :
       {Phase::gate, Phase::denylist, Phase::sync, Phase::warmup, Phase::verify, Phase::direct}) {
    EXPECT_FALSE(needs_rerun(dead_in(phase))) << name(phase);
  }
  Result alive = dead_in(Phase::replay);
  alive.context_dead = false;
  EXPECT_FALSE(needs_rerun(alive));
}

TEST(Compose, APoisonedCaseKeepsNoNumberOfEitherRun) {
  Result first = dead_in(Phase::replay);
  first.metrics["latency_us"] = 1;
  first.samples_ms = {1};
  Result second;
  second.verdict = Verdict::ok;
  second.metrics["latency_us"] = 2;
  second.samples_ms = {2};
  const Result composed = compose(first, second);
  EXPECT_EQ(composed.verdict, Verdict::capture_poisoned);
  EXPECT_TRUE(composed.metrics.empty());
  EXPECT_TRUE(composed.samples_ms.empty());
  EXPECT_EQ(composed.failure->reason, "Dead");
}

TEST(Compose, EveryVerdictOfTheSecondRunHasItsPlaceInTheTable) {
  const auto composed = [](Verdict second) {
    Result result;
    result.verdict = second;
    return compose(dead_in(Phase::capture), result).verdict;
  };
  EXPECT_EQ(composed(Verdict::ok), Verdict::capture_poisoned);
  EXPECT_EQ(composed(Verdict::kernel_failed), Verdict::kernel_failed);
  EXPECT_EQ(composed(Verdict::skipped), Verdict::kernel_failed);
  for (const Verdict own : {Verdict::wrong_result, Verdict::hung, Verdict::crashed,
                            Verdict::untimeable, Verdict::usage, Verdict::internal}) {
    EXPECT_EQ(composed(own), own) << name(own);
  }
}

}  // namespace
}  // namespace zl
