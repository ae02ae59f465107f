// The failure table with real processes: main, supervisor and worker over the fake device.
#include <gtest/gtest.h>

#include <string>

#include "fake_run.hpp"

namespace zl {
namespace {

using test::Outcome;
using test::run;

// A hang is told from slowness by this much; every other test gives a slow machine its time.
const std::string short_limit = "--zl_phase_limit_s=1.5";

void expect_no_number(const Outcome& outcome, int exit_code, const std::string& verdict) {
  EXPECT_EQ(outcome.exit_code, exit_code) << outcome.output;
  EXPECT_FALSE(outcome.has_latency()) << outcome.output;
  EXPECT_TRUE(outcome.says("name=\"verdict\">" + verdict + "<")) << outcome.output;
}

TEST(Process, AHealthyOpIsMeasured) {
  const Outcome outcome = run("");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
  EXPECT_TRUE(outcome.says("name=\"method\">graph<"));
  EXPECT_TRUE(outcome.says("name=\"capture\">clean<"));
  EXPECT_TRUE(outcome.has_latency());
}

TEST(Process, AFreshProcessMeasuresWithoutAGraphWhateverTheMethod) {
  const Outcome outcome = run("call=launch phase=replay code=700 kills", "--zl_method=graph");
  expect_no_number(outcome, 5, "capture_poisoned");
}

struct Place {
  const char* phase;
  const char* call;
};
class EachPhase : public ::testing::TestWithParam<Place> {
 protected:
  std::string fault(const std::string& what) const {
    return std::string("call=") + GetParam().call + " phase=" + GetParam().phase + " " + what;
  }
  std::string flags() const {
    return GetParam().phase == std::string("direct") ? "--zl_method=direct" : "";
  }
};

TEST_P(EachPhase, AHangIsEndedAndNamed) {
  const Outcome outcome = run(fault("hang"), flags() + " " + short_limit);
  expect_no_number(outcome, 6, "hung");
  EXPECT_TRUE(outcome.says(GetParam().phase)) << outcome.output;
}

TEST_P(EachPhase, ACrashIsNamedWithItsSignal) {
  const Outcome outcome = run(fault("crash"), flags());
  expect_no_number(outcome, 8, "crashed");
  EXPECT_TRUE(outcome.says(GetParam().phase)) << outcome.output;
  EXPECT_TRUE(outcome.says("SIGSEGV") || outcome.says("Segmentation")) << outcome.output;
}

INSTANTIATE_TEST_SUITE_P(
    Phases, EachPhase,
    ::testing::Values(Place{"sync", "generate"}, Place{"verify", "synchronize_device"},
                      Place{"warmup", "synchronize_device"}, Place{"capture", "end_capture"},
                      Place{"instantiate", "instantiate"}, Place{"replay", "launch"},
                      Place{"direct", "record"}),
    [](const ::testing::TestParamInfo<Place>& info) { return std::string(info.param.phase); });

TEST(Process, ADeviceErrorOutsideACaptureIsKernelFailed) {
  expect_no_number(run("call=kernel phase=warmup code=700 kills"), 4, "kernel_failed");
}

TEST(Process, ABrokenCaptureFallsBackBehindItsMarker) {
  const Outcome outcome = run("call=end_capture phase=capture code=900");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
  EXPECT_TRUE(outcome.says("name=\"method\">direct<"));
  const std::size_t marker = outcome.output.find(
      "BENCHMARK_DIRECT_NO_CUDAGRAPH op=twice phase=capture "
      "reason=cudaErrorStreamCaptureUnsupported detail='end_capture: told to fail'");
  ASSERT_NE(marker, std::string::npos) << outcome.output;
  EXPECT_LT(marker, outcome.output.find("name=\"latency_us\""));
}

TEST(Process, WithMethodGraphABrokenCaptureIsNoGraph) {
  const Outcome outcome = run("call=end_capture phase=capture code=900", "--zl_method=graph");
  expect_no_number(outcome, 11, "no_graph");
  EXPECT_FALSE(outcome.says("BENCHMARK_DIRECT_NO_CUDAGRAPH"));
}

constexpr const char* poison = "call=kernel phase=replay skip=5 code=700 kills;";

TEST(Process, AContextThatDiesInAReplayIsPoisonedWhereAFreshProcessMeasures) {
  const Outcome outcome = run(poison);
  expect_no_number(outcome, 5, "capture_poisoned");
  EXPECT_TRUE(
      outcome.says("BENCHMARK_CAPTURE_POISONED op=twice phase=replay "
                   "reason=cudaErrorIllegalAddress"))
      << outcome.output;
  EXPECT_TRUE(outcome.says("ZL_ENABLE_CUDAGRAPH=0"));
  EXPECT_TRUE(outcome.says("DENY_CAPTURE fake"));
}

TEST(Process, ACaptureThatOnlyLeavesTheContextDeadIsFoundByTheProbe) {
  const Outcome outcome =
      run("call=end_capture phase=capture code=999; call=probe phase=capture code=700 kills");
  expect_no_number(outcome, 5, "capture_poisoned");
}

TEST(Process, WhereTheFreshProcessFailsTooItIsKernelFailedAndBothAreNamed) {
  const Outcome outcome = run(std::string(poison) + "call=kernel phase=direct code=719 kills");
  expect_no_number(outcome, 4, "kernel_failed");
  EXPECT_TRUE(outcome.says("replay")) << outcome.output;
  EXPECT_TRUE(outcome.says("direct")) << outcome.output;
  EXPECT_FALSE(outcome.says("BENCHMARK_CAPTURE_POISONED"));
}

TEST(Process, WhereTheFreshProcessHangsItIsHung) {
  expect_no_number(run(std::string(poison) + "call=record phase=direct hang", short_limit), 6,
                   "hung");
}

TEST(Process, WhereTheFreshProcessCrashesItIsCrashed) {
  expect_no_number(run(std::string(poison) + "call=record phase=direct crash"), 8, "crashed");
}

TEST(Process, WhereTheFreshProcessSkipsItIsKernelFailedAndUndecided) {
  const Outcome outcome = run(std::string(poison) + "call=record phase=direct code=2");
  expect_no_number(outcome, 4, "kernel_failed");
  EXPECT_TRUE(outcome.says("undecided")) << outcome.output;
}

TEST(Process, NoDeviceIsASkipOrWhereOneIsRequiredAnError) {
  const Outcome skipped = run("", "", "ZL_FAKE_NO_DEVICE=1");
  EXPECT_EQ(skipped.exit_code, 77) << skipped.output;
  EXPECT_TRUE(skipped.says("no fake device is plugged in"));
  const Outcome required = run("", "", "ZL_FAKE_NO_DEVICE=1 ZL_REQUIRE_DEVICE=1");
  EXPECT_EQ(required.exit_code, 2) << required.output;
  EXPECT_TRUE(required.says("ZL_REQUIRE_DEVICE"));
}

TEST(Process, ADeniedCaptureIsSaidAndNotTried) {
  const Outcome outcome = run("call=begin_capture hang", "--zl_deny_capture");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
  EXPECT_TRUE(
      outcome.says("BENCHMARK_DIRECT_NO_CUDAGRAPH op=twice phase=denylist "
                   "reason=KnownPoisoningOp detail='fake denies capture for this op'"))
      << outcome.output;
}

TEST(Process, TurningGraphsOffTriesNone) {
  const Outcome outcome = run("call=begin_capture hang", "", "ZL_ENABLE_CUDAGRAPH=0");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
  EXPECT_TRUE(outcome.says("name=\"capture\">off<"));
}

TEST(Process, AMarkerNamesTheOpOfTheEnvironmentWhereItIsSet) {
  EXPECT_TRUE(run("call=end_capture phase=capture code=900", "", "FLAGGEMS_PERF_CURRENT_OP=w8a8")
                  .says("op=w8a8 phase=capture"));
}

}  // namespace
}  // namespace zl
