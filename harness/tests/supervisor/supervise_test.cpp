#include "supervisor/supervise.hpp"

#include <gtest/gtest.h>

#include "supervised_case.hpp"

namespace zl {
namespace {

// A hang is told from slowness by this much.
const char* const short_limit = "--zl_phase_limit_s=0.6";

TEST_F(SupervisedCase, AResultComesBackWithItsDeviceAndColumns) {
  const Result result = run("ok");
  EXPECT_EQ(result.verdict, Verdict::ok);
  EXPECT_EQ(result.metrics.at("latency_us"), 12.5);
  EXPECT_EQ(result.samples_ms.size(), 3u);
  EXPECT_EQ(result.device_uuid, "uuid/0");
  EXPECT_EQ(result.device_name, "scripted device 0");
  EXPECT_EQ(result.driver, "driver 1");
  EXPECT_EQ(result.runtime, "runtime 2");
}

TEST_F(SupervisedCase, TellsTheTimeOfTheWholeCase) {
  const Result result = run("slow_but_alive");  // two seconds in one phase
  EXPECT_GE(result.wall_s, 2);
  EXPECT_LT(result.wall_s, 30);
}

class EachPhase : public SupervisedCase, public testing::WithParamInterface<Phase> {};

TEST_P(EachPhase, AHangInItIsNamed) {
  const std::string phase(name(GetParam()));
  const Result result = run("hang_" + phase, {short_limit});
  EXPECT_EQ(result.verdict, Verdict::hung);
  ASSERT_TRUE(result.failure);
  EXPECT_EQ(result.failure->phase, GetParam());
  EXPECT_EQ(result.failure->reason, "PhaseLimitExceeded");
  EXPECT_TRUE(mentions(result.message, "phase " + phase + " ")) << result.message;
  EXPECT_EQ(result.device_uuid, "uuid/0");
}

INSTANTIATE_TEST_SUITE_P(Supervise, EachPhase,
                         testing::Values(Phase::gate, Phase::denylist, Phase::sync, Phase::warmup,
                                         Phase::verify, Phase::capture, Phase::instantiate,
                                         Phase::replay, Phase::direct, Phase::command),
                         [](const auto& each) { return std::string(name(each.param)); });

TEST_F(SupervisedCase, AHangBeforeTheDeviceIsKnownIsNamed) {
  ::setenv("ZL_SCRIPT_DEVICES", "hang", 1);
  const Result result = run("ok", {short_limit});
  ::unsetenv("ZL_SCRIPT_DEVICES");
  EXPECT_EQ(result.verdict, Verdict::hung);
  EXPECT_TRUE(mentions(result.message, "start-up")) << result.message;
}

TEST_F(SupervisedCase, ASignOfLifeRestartsThePhaseLimit) {
  // Two seconds in one phase, with a sign every quarter of a second.
  EXPECT_EQ(run("slow_but_alive", {"--zl_phase_limit_s=1.5"}).verdict, Verdict::ok);
}

TEST_F(SupervisedCase, SignsOfLifeDoNotExtendTheWholeCase) {
  const Result result = run("live_on", {"--zl_timeout_s=1.5"});
  EXPECT_EQ(result.verdict, Verdict::hung);
  EXPECT_EQ(result.failure->reason, "TimeoutExceeded");
  EXPECT_EQ(result.failure->phase, Phase::replay);
  EXPECT_TRUE(mentions(result.message, "1.5 s")) << result.message;
}

TEST_F(SupervisedCase, ASegmentationFaultIsACrashThatNamesSignalAndPhase) {
  const Result result = run("segv");
  EXPECT_EQ(result.verdict, Verdict::crashed);
  EXPECT_EQ(result.failure->reason, "SIGSEGV");
  EXPECT_EQ(result.failure->phase, Phase::warmup);
  EXPECT_TRUE(mentions(result.message, "SIGSEGV in phase warmup")) << result.message;
}

TEST_F(SupervisedCase, AnAbortIsACrash) {
  const Result result = run("abort");
  EXPECT_EQ(result.verdict, Verdict::crashed);
  EXPECT_EQ(result.failure->reason, "SIGABRT");
}

TEST_F(SupervisedCase, AnExitWithoutAResultIsACrashWhateverItsStatus) {
  for (const std::string script : {"exit3", "exit0"}) {
    const Result result = run(script);
    EXPECT_EQ(result.verdict, Verdict::crashed);
    EXPECT_EQ(result.failure->reason, "ExitWithoutResult");
    EXPECT_TRUE(mentions(result.message, "status " + script.substr(4))) << result.message;
  }
}

TEST_F(SupervisedCase, ACrashBeforeTheDeviceIsKnownIsACrash) {
  ::setenv("ZL_SCRIPT_DEVICES", "crash", 1);
  const Result result = run("ok");
  ::unsetenv("ZL_SCRIPT_DEVICES");
  EXPECT_EQ(result.verdict, Verdict::crashed);
  EXPECT_TRUE(mentions(result.message, "SIGABRT in start-up")) << result.message;
}

TEST_F(SupervisedCase, ANumberStandsWhenOnlyItsComparisonDies) {
  const Result result = run("extras_segv");
  EXPECT_EQ(result.verdict, Verdict::ok);
  EXPECT_EQ(result.metrics.at("latency_us"), 12.5);
  EXPECT_EQ(result.metrics.count("speedup"), 0u);
  EXPECT_TRUE(mentions(result.speedup_reason, "SIGSEGV")) << result.speedup_reason;
}

TEST_F(SupervisedCase, ANumberStandsWhenOnlyItsComparisonHangs) {
  const Result result = run("extras_hang", {short_limit});
  EXPECT_EQ(result.verdict, Verdict::ok);
  EXPECT_EQ(result.metrics.at("latency_us"), 12.5);
  EXPECT_TRUE(mentions(result.speedup_reason, "phase replay")) << result.speedup_reason;
}

TEST_F(SupervisedCase, AWorkerThatBreaksTheProtocolIsAnInternalError) {
  const Result result = run("babble");
  EXPECT_EQ(result.verdict, Verdict::internal);
  EXPECT_TRUE(mentions(result.message, "babble")) << result.message;
}

TEST_F(SupervisedCase, AGrandchildThatKeepsThePipesOpenDoesNotHoldUpTheCase) {
  EXPECT_EQ(run("grandchild").verdict, Verdict::ok);
}

TEST_F(SupervisedCase, WhatACaseThrowsIsItsVerdict) {
  const Result malformed = run("malformed");
  EXPECT_EQ(malformed.verdict, Verdict::usage);
  EXPECT_TRUE(mentions(malformed.message, "rows must be even"));
  EXPECT_EQ(run("broken").verdict, Verdict::internal);
}

TEST_F(SupervisedCase, WithoutADeviceACaseIsSkippedOrAnErrorWhereOneIsRequired) {
  ::setenv("ZL_SCRIPT_DEVICES", "none", 1);
  const Result skipped = run("ok");
  ::setenv("ZL_REQUIRE_DEVICE", "1", 1);
  const Result failed = run("ok");
  ::unsetenv("ZL_REQUIRE_DEVICE");
  ::unsetenv("ZL_SCRIPT_DEVICES");
  EXPECT_EQ(skipped.verdict, Verdict::skipped);
  EXPECT_TRUE(mentions(skipped.message, "the runtime sees no device"));
  EXPECT_EQ(failed.verdict, Verdict::usage);
  EXPECT_TRUE(mentions(failed.message, "ZL_REQUIRE_DEVICE=1"));
}

TEST_F(SupervisedCase, WithoutMemoryForAContextACaseIsSkipped) {
  ::setenv("ZL_SCRIPT_DEVICES", "full", 1);
  const Result result = run("ok");
  ::unsetenv("ZL_SCRIPT_DEVICES");
  EXPECT_EQ(result.verdict, Verdict::skipped);
  EXPECT_TRUE(mentions(result.message, "no room for a context"));
}

TEST_F(SupervisedCase, CTestsResourceVariablesChooseTheDevice) {
  ::setenv("CTEST_RESOURCE_GROUP_COUNT", "1", 1);
  ::setenv("CTEST_RESOURCE_GROUP_0", "scripted", 1);
  ::setenv("CTEST_RESOURCE_GROUP_0_SCRIPTED", "id:1,slots:1", 1);
  const Result chosen = run("ok");
  ::setenv("CTEST_RESOURCE_GROUP_0_SCRIPTED", "id:one,slots:1", 1);
  const Result malformed = run("ok");
  ::unsetenv("CTEST_RESOURCE_GROUP_COUNT");
  ::unsetenv("CTEST_RESOURCE_GROUP_0");
  ::unsetenv("CTEST_RESOURCE_GROUP_0_SCRIPTED");
  EXPECT_EQ(chosen.device_uuid, "uuid/1");
  EXPECT_EQ(malformed.verdict, Verdict::usage);
  EXPECT_TRUE(mentions(malformed.message, "CTEST_RESOURCE_GROUP_0_SCRIPTED='id:one,slots:1'"))
      << malformed.message;
}

}  // namespace
}  // namespace zl
