#include "report/summary.hpp"

#include <gtest/gtest.h>

#include "sample_result.hpp"

namespace zl {
namespace {

using test::failed_result;
using test::sample_result;

TEST(Summary, SaysTheNumberAndHowItWasObtained) {
  EXPECT_EQ(summary_line(sample_result(), false),
            "mm/own/e4m3-bf16/16x4096x7168: 12.5 us \u00b1 0.25 % (median of 4 samples, graph, "
            "cold by rotation) | 987.5 GB/s | 20.5 % of peak");
}

TEST(Summary, SaysTheSpreadOfSamplesTooFewForAnInterval) {
  Result r = sample_result();
  r.metrics = {{"latency_us", 12.5}, {"cv_pct", 9.5}};
  EXPECT_EQ(summary_line(r, false),
            "mm/own/e4m3-bf16/16x4096x7168: 12.5 us, spread 9.5 % (median of 4 samples, graph, "
            "cold by rotation)");
}

TEST(Summary, SaysThatNoReferenceWasGiven) {
  Result r = sample_result();
  r.verified = "replay-only";
  EXPECT_NE(summary_line(r, false).find(" | not verified: the case has no expect()"),
            std::string::npos);
}

TEST(Summary, SaysWhatIsWrongWithTheNumber) {
  Result r = sample_result();
  r.metrics = {{"latency_us", 12345.6}, {"compute_TFLOPS", 0.5}, {"speedup", 1.25}};
  r.samples_ms = {12.3456};
  r.untrusted = {"the samples spread by 4 %"};
  r.method = Method::direct;
  r.cache = Cache::warm;
  r.cold_by = "";
  r.cache_note = "warm: copies need 90 GiB";
  r.capture = Capture::fallback;
  r.capture_reason = "capture:NothingCaptured";
  EXPECT_EQ(summary_line(r, false),
            "mm/own/e4m3-bf16/16x4096x7168: 12.35 ms UNTRUSTED (median of 1 sample, direct, warm) "
            "| 0.5 TFLOP/s | 1.25 x | capture fallback: capture:NothingCaptured | warm: copies "
            "need 90 GiB | untrusted: the samples spread by 4 %");
  EXPECT_EQ(summary_line(r, true).substr(0, 5), "\x1b[33m");
}

TEST(Summary, SaysWhatTheGateFound) {
  Result r = sample_result();
  r.gate = Gate{Gate::Outcome::no_baseline, "it expired on 2026-11-29", 0, 0, 0, {12.5}};
  EXPECT_NE(summary_line(r, false).find(" | gate no_baseline: it expired on 2026-11-29"),
            std::string::npos);
  r.verdict = Verdict::regression;
  r.message = "12.5 us is too slow";
  const std::string line = summary_line(r, true);
  EXPECT_NE(line.find("12.5 us \u00b1"), std::string::npos) << line;
  EXPECT_NE(line.find(" | regression: 12.5 us is too slow"), std::string::npos) << line;
  EXPECT_EQ(line.substr(0, 5), "\x1b[31m");
}

TEST(Summary, SaysThatTheDeviceIsAStandIn) {
  Result r = sample_result();
  r.device_name = "MUSA stand-in";
  EXPECT_NE(summary_line(r, false).find(" on a STAND-IN (median"), std::string::npos);
}

TEST(Summary, SaysWhatTheProfilerSaw) {
  Result r = sample_result();
  r.implausible = "5000 GB/s cold";
  r.cross_check = CrossCheck{12.6, 12.4, 12.3, 0.2, 0.8};
  const std::string line = summary_line(r, false);
  EXPECT_NE(line.find("IMPLAUSIBLE"), std::string::npos) << line;
  EXPECT_NE(line.find("| implausible: 5000 GB/s cold | profiler: span 12.4 us, busy 12.3 us, gap "
                      "0.2 us, replayed in 12.6 us (0.8 % slower than before)"),
            std::string::npos)
      << line;
}

TEST(Summary, SaysTheVerdictInOneLineAndNoNumber) {
  EXPECT_EQ(summary_line(failed_result(), false),
            "mm/lt/e4m3-bf16/16x4096x7168: kernel_failed: cudaLaunchKernel: "
            "cudaErrorIllegalAddress (700) in verify");
  EXPECT_EQ(summary_line(failed_result(), true).substr(0, 5), "\x1b[31m");
}

TEST(Summary, HasNoSingleNumberWhereThereIsNone) {
  Result r = sample_result();
  r.statistic = "all";
  r.metrics.clear();
  EXPECT_EQ(summary_line(r, false),
            "mm/own/e4m3-bf16/16x4096x7168: no single latency (all of 4 samples, graph, cold by "
            "rotation)");
}

}  // namespace
}  // namespace zl
