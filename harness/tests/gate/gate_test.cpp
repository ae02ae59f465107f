#include "gate/gate.hpp"

#include "baseline_file.hpp"

namespace zl::test {
namespace {

/// Ten runs of 100 us: median 100, median absolute deviation 0.5.
const std::vector<double> steady = {99, 99.5, 99.5, 99.5, 100, 100, 100.5, 100.5, 100.5, 101};

struct GateTest : testing::Test {
  Result gate(const std::vector<double>& latencies, double tolerance_pct = 5) {
    std::vector<Result> results;
    for (const double us : latencies) results.push_back(result_of(us));
    return gate_results(results, tolerance_pct);
  }
  Result gate_results(const std::vector<Result>& results, double tolerance_pct = 5) {
    measured = 1;
    return gated(results.at(0), {file.write(), tolerance_pct}, today,
                 [&] { return results.at(static_cast<std::size_t>(measured++)); });
  }
  static std::string outcome(const Result& result) {
    return result.gate ? std::string(name(result.gate->outcome)) : "no gate";
  }

  BaselineFile file;
  std::string today = "2026-12-01";
  int measured = 0;
};

TEST_F(GateTest, WithoutABaselineNothingIsCompared) {
  const Result r = gated(result_of(1e9), {}, today, [] { return Result(); });
  EXPECT_EQ(r.verdict, Verdict::ok);
  EXPECT_FALSE(r.gate);
}

TEST_F(GateTest, PassesUpToTheLargerOfToleranceAndNoise) {
  file.add_medians(steady);
  // 100 + max(5 % of 100, 4 x 1.4826 x 0.5 = 2.9652).
  Result r = gate({105});
  EXPECT_EQ(outcome(r), "passed");
  EXPECT_DOUBLE_EQ(r.gate->limit_us, 105);
  EXPECT_DOUBLE_EQ(r.gate->baseline_us, 100);
  EXPECT_EQ(r.gate->runs, 10);
  EXPECT_EQ(measured, 1);
  r = gate({102.96}, 1);
  EXPECT_EQ(outcome(r), "passed");
  EXPECT_NEAR(r.gate->limit_us, 102.9652, 1e-9);
  EXPECT_EQ(exit_code(r.verdict), Exit::ok);
}

TEST_F(GateTest, ThreeProcessesAboveTheLimitAreARegression) {
  file.add_medians(steady);
  const Result r = gate({106, 107, 105.5});
  EXPECT_EQ(r.verdict, Verdict::regression);
  EXPECT_EQ(exit_code(r.verdict), Exit::regression);
  EXPECT_EQ(static_cast<int>(exit_code(r.verdict)), 7);
  EXPECT_EQ(outcome(r), "regression");
  EXPECT_EQ(r.gate->tried, (std::vector<double>{106, 107, 105.5}));
  EXPECT_EQ(r.metrics.at("latency_us"), 106) << "its number stays";
  EXPECT_NE(r.message.find("106 us, 107 us, 105.5 us"), std::string::npos) << r.message;
  EXPECT_NE(r.message.find("ci/ab.py"), std::string::npos) << r.message;
}

TEST_F(GateTest, OneProcessAtTheLimitIsEnoughToPass) {
  file.add_medians(steady);
  Result r = gate({106, 105});
  EXPECT_EQ(outcome(r), "passed");
  EXPECT_EQ(measured, 2);
  r = gate({106, 107, 104});
  EXPECT_EQ(outcome(r), "passed");
  EXPECT_EQ(measured, 3);
  EXPECT_EQ(r.verdict, Verdict::ok);
  EXPECT_NE(r.gate->reason.find("not all suspect"), std::string::npos) << r.gate->reason;
}

TEST_F(GateTest, ASecondMeasurementThatFailsIsTheResult) {
  file.add_medians(steady);
  Result hung = result_of(1);
  hung.verdict = Verdict::hung;
  EXPECT_EQ(gate_results({result_of(200), hung}).verdict, Verdict::hung);
}

TEST_F(GateTest, ASecondMeasurementThatIsSkippedDecidesNothing) {
  file.add_medians(steady);
  Result skipped = result_of(1);
  skipped.verdict = Verdict::skipped;
  skipped.message = "need 90 GiB";
  const Result r = gate_results({result_of(200), skipped});
  EXPECT_EQ(r.verdict, Verdict::ok);
  EXPECT_EQ(outcome(r), "untrusted");
  EXPECT_EQ(r.metrics.at("latency_us"), 200);
  EXPECT_NE(r.gate->reason.find("need 90 GiB"), std::string::npos) << r.gate->reason;
}

TEST_F(GateTest, EachMeasurementIsComparedWithRunsOfItsOwnKind) {
  file.add_medians(steady);
  for (int i = 0; i < 10; ++i) {
    Result swept = result_of(120);
    swept.cold_by = "evict";
    file.add(swept);
  }
  Result swept = result_of(121);
  swept.cold_by = "evict";
  const Result r = gate_results({result_of(110), swept});
  EXPECT_EQ(outcome(r), "passed");
  EXPECT_DOUBLE_EQ(r.gate->baseline_us, 120);
}

TEST_F(GateTest, ALostCaptureOrColdCacheIsChangedHoweverFast) {
  file.add_medians(steady);
  Result direct = result_of(50);
  direct.method = Method::direct;
  Result warm = result_of(50);
  warm.cache = Cache::warm;
  warm.cold_by = "";
  for (const Result& unlike : {direct, warm}) {
    const Result r = gate_results({unlike, unlike, unlike});
    EXPECT_EQ(r.verdict, Verdict::changed);
    EXPECT_EQ(static_cast<int>(exit_code(r.verdict)), 7);
    EXPECT_EQ(measured, 3);
    EXPECT_NE(r.message.find("graph, cold"), std::string::npos) << r.message;
  }
}

TEST_F(GateTest, ACaptureThatFailsOnceOrOnABusyDeviceRaisesNoAlarm) {
  file.add_medians(steady);
  Result direct = result_of(50);
  direct.method = Method::direct;
  const Result once = gate_results({direct, result_of(100)});
  EXPECT_EQ(once.verdict, Verdict::ok);
  EXPECT_EQ(outcome(once), "passed");
  direct.untrusted = {"another process was on the device"};
  const Result busy = gate_results({direct, direct, direct});
  EXPECT_EQ(busy.verdict, Verdict::ok);
  EXPECT_EQ(outcome(busy), "untrusted");
}

TEST_F(GateTest, FewerThanTenRunsAreNoBaseline) {
  file.add_medians({steady.begin(), steady.begin() + 9});
  const Result r = gate({1000});
  EXPECT_EQ(outcome(r), "no_baseline");
  EXPECT_EQ(r.verdict, Verdict::ok);
  EXPECT_NE(r.gate->reason.find("9 runs, 10 are needed"), std::string::npos) << r.gate->reason;
}

TEST_F(GateTest, OnlyRunsOfTheSameKindCount) {
  file.add_medians(steady);
  for (int i = 0; i < 10; ++i) {
    Result swept = result_of(10);
    swept.cold_by = "evict";
    file.add(swept);
  }
  EXPECT_DOUBLE_EQ(gate({105}).gate->baseline_us, 100);
  Result of_another_statistic = result_of(100);
  of_another_statistic.statistic = "mean";
  EXPECT_EQ(outcome(gate_results({of_another_statistic})), "no_baseline");
}

TEST_F(GateTest, ABaselineThatSpreadsTooFarTellsNothing) {
  // Median 100, MAD 2: 4 x 1.4826 x 2 = 11.9 us, more than 10 %.
  file.add_medians({96, 97, 98, 98, 98, 102, 102, 102, 103, 104});
  const Result r = gate({300});
  EXPECT_EQ(outcome(r), "too_noisy");
  EXPECT_EQ(r.verdict, Verdict::ok);
  EXPECT_EQ(measured, 1);
}

TEST_F(GateTest, AnUntrustedNumberRaisesNoAlarm) {
  file.add_medians(steady);
  Result noisy = result_of(200);
  noisy.untrusted = {"another process was on the device"};
  const Result r = gate_results({result_of(200), noisy, result_of(200)});
  EXPECT_EQ(outcome(r), "untrusted");
  EXPECT_EQ(r.verdict, Verdict::ok);
}

TEST_F(GateTest, AnExpiredBaselineIsNone) {
  file.add_medians(steady);
  today = "2027-02-28";
  EXPECT_EQ(outcome(gate({100})), "passed");
  today = "2027-03-01";
  EXPECT_EQ(outcome(gate({1000})), "no_baseline");
}

TEST_F(GateTest, WhatWasRequestedOtherwiseIsAnotherCase) {
  file.add_medians(steady);
  Result warm = result_of(1000);
  warm.requested_cache = "warm";
  const Result r = gate_results({warm});
  EXPECT_EQ(outcome(r), "no_baseline");
  EXPECT_NE(r.gate->reason.find("/adaptive/warm"), std::string::npos) << r.gate->reason;
}

TEST_F(GateTest, AStandInHasNoBaseline) {
  file.json["device"] = "MUSA stand-in";
  file.add_medians(steady);
  Result r = result_of(1000);
  r.device_name = "MUSA stand-in";
  EXPECT_EQ(outcome(gate_results({r})), "no_baseline");
}

TEST_F(GateTest, AFailedCaseIsNotCompared) {
  file.add_medians(steady);
  Result wrong = result_of(1);
  wrong.verdict = Verdict::wrong_result;
  wrong.metrics.clear();
  const Result r = gate_results({wrong});
  EXPECT_EQ(r.verdict, Verdict::wrong_result);
  EXPECT_FALSE(r.gate);
}

TEST(Today, IsADate) {
  const std::string date = today();
  ASSERT_EQ(date.size(), 10u);
  EXPECT_GE(date, "2026-11-30");
}

}  // namespace
}  // namespace zl::test
