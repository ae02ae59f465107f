#include "report/google_benchmark.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "error_of.hpp"
#include "sample_result.hpp"

namespace zl {
namespace {

using nlohmann::json;
using test::error_of;
using test::failed_result;
using test::sample_result;

const char* const run_name = "mm/own/e4m3-bf16/16x4096x7168";
const char* const label =
    "method=graph cache=cold capture=clean statistic=median schedule=adaptive cold_by=rotation";

BenchmarkFlags with_format(const std::string& format) {
  BenchmarkFlags flags;
  flags.format = format;
  flags.out_format = format;
  return flags;
}

json runs_of(const std::string& document) { return json::parse(document).at("benchmarks"); }

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

TEST(GoogleBenchmark, JsonHasTheSamplesInOrderAsRepetitions) {
  const Result result = sample_result();
  const json runs = runs_of(BenchmarkRuns({result}, with_format("json")).display(false).out);
  ASSERT_EQ(runs.size(), 8u);  // four samples; mean, median, stddev, cv
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(runs[i].at("run_type"), "iteration");
    EXPECT_EQ(runs[i].at("repetition_index"), i);
    EXPECT_EQ(runs[i].at("iterations"), 1);
    EXPECT_EQ(runs[i].at("time_unit"), "us");
    EXPECT_DOUBLE_EQ(runs[i].at("real_time").get<double>(), result.samples_ms[i] * 1e3);
  }
  EXPECT_EQ(runs[5].at("aggregate_name"), "median");
  EXPECT_DOUBLE_EQ(runs[5].at("real_time").get<double>(), result.metrics.at("latency_us"));
}

TEST(GoogleBenchmark, JsonNamesAreStrippedAndCpuTimeIsTheManualTime) {
  const std::string text = BenchmarkRuns({sample_result()}, with_format("json")).display(false).out;
  EXPECT_EQ(text.find("manual_time"), std::string::npos);
  EXPECT_EQ(text.find("repeats:"), std::string::npos);
  EXPECT_EQ(text.find("iterations:"), std::string::npos);
  for (const json& run : runs_of(text)) {
    EXPECT_EQ(run.at("run_name"), run_name);
    EXPECT_EQ(run.at("cpu_time"), run.at("real_time"));
    EXPECT_EQ(run.at("label"), label);
    const std::string aggregate = run.value("aggregate_name", "");
    EXPECT_EQ(run.at("name"), run_name + (aggregate.empty() ? "" : "_" + aggregate));
  }
}

TEST(GoogleBenchmark, MetricsAreCountersAndLeaveTheAggregatesWhole) {
  for (const json& run : runs_of(BenchmarkRuns({sample_result()}, with_format("json")).file())) {
    const std::string aggregate = run.value("aggregate_name", "");
    const bool spread = aggregate == "stddev" || aggregate == "cv";
    EXPECT_EQ(run.contains("bandwidth_GBps"), !spread) << run;
    if (spread) continue;
    EXPECT_DOUBLE_EQ(run.at("bandwidth_GBps").get<double>(), 987.5);
    EXPECT_DOUBLE_EQ(run.at("latency_us").get<double>(), 12.5);
    EXPECT_DOUBLE_EQ(run.at("cv_pct").get<double>(), 0);  // 0/0 in a cv of counters
  }
}

TEST(GoogleBenchmark, ConsoleShowsOneLineAStatistic) {
  const auto text = BenchmarkRuns({sample_result()}, with_format("console")).display(false);
  const std::vector<std::string> lines = lines_of(text.out);
  ASSERT_EQ(lines.size(), 7u) << text.out;
  const std::string tail = std::string(" bandwidth_GBps=987.5 peak_pct=20.5 ") + label;
  EXPECT_EQ(lines[1],
            "Benchmark                                     Time             CPU   "
            "Iterations UserCounters...");
  EXPECT_EQ(lines[3],
            std::string(run_name) + "_mean         12.5 us         12.5 us            4" + tail);
  EXPECT_EQ(lines[4],
            std::string(run_name) + "_median       12.5 us         12.5 us            4" + tail);
  EXPECT_EQ(lines[5],
            std::string(run_name) + "_stddev      0.408 us        0.408 us            4 " + label);
  EXPECT_EQ(lines[6],
            std::string(run_name) + "_cv           3.27 %          3.27 %             4 " + label);
  EXPECT_NE(text.err.find("Running "), std::string::npos);
}

TEST(GoogleBenchmark, ConsoleShowsTheSamplesOnDemand) {
  BenchmarkFlags flags;
  flags.display_aggregates_only = false;
  const std::string text = BenchmarkRuns({sample_result()}, flags).display(false).out;
  EXPECT_EQ(lines_of(text).size(), 11u) << text;
  EXPECT_EQ(text.find("manual_time"), std::string::npos);
}

TEST(GoogleBenchmark, ReportAggregatesOnlyHoldsForDocumentsToo) {
  BenchmarkFlags flags = with_format("json");
  flags.report_aggregates_only = true;
  const BenchmarkRuns runs({sample_result()}, flags);
  EXPECT_EQ(runs_of(runs.display(false).out).size(), 4u);
  EXPECT_EQ(runs_of(runs.file()).size(), 4u);
  EXPECT_EQ(runs_of(runs.json(0)).size(), 8u);
}

TEST(GoogleBenchmark, ConsoleIsColouredOnDemandOnly) {
  const BenchmarkRuns runs({sample_result()}, with_format("console"));
  EXPECT_EQ(runs.display(false).out.find('\x1b'), std::string::npos);
  EXPECT_NE(runs.display(true).out.find('\x1b'), std::string::npos);
}

TEST(GoogleBenchmark, CsvHasEveryCounterOfEveryResult) {
  Result more = sample_result("cub");
  more.metrics["speedup"] = 1.5;
  const std::string text =
      BenchmarkRuns({sample_result(), more}, with_format("csv")).display(false).out;
  const std::vector<std::string> lines = lines_of(text);
  ASSERT_EQ(lines.size(), 15u) << text;
  EXPECT_EQ(lines[0],
            "name,iterations,real_time,cpu_time,time_unit,bytes_per_second,items_per_second,label,"
            "error_occurred,error_message,\"bandwidth_GBps\",\"ci_pct\",\"cv_pct\",\"latency_us\","
            "\"min_us\",\"peak_pct\",\"speedup\"");
  EXPECT_EQ(lines[1], "\"" + std::string(run_name) + "\",1,12,12,us,,,\"" + label +
                          "\",,,987.5,0.25,0,12.5,12,20.5,");
  EXPECT_EQ(lines[8].substr(lines[8].size() - 29), "987.5,0.25,0,12.5,12,20.5,1.5") << lines[8];
  EXPECT_EQ(text.find("_cv"), std::string::npos);
}

TEST(GoogleBenchmark, CsvKeepsTheDigits) {
  Result result = sample_result();
  result.samples_ms = {0.0123456789012};
  const std::string text = BenchmarkRuns({result}, with_format("csv")).file();
  EXPECT_NE(text.find(",12.3456789012,12.3456789012,us,"), std::string::npos) << text;
}

TEST(GoogleBenchmark, FailuresAreOneErroredRunAmongGoodOnes) {
  Result skipped = failed_result("cub");
  skipped.verdict = Verdict::skipped;
  skipped.message = "needs 4 GiB, 1 GiB free";
  skipped.samples_ms = {0.1, 0.2};
  const BenchmarkRuns runs({failed_result(), sample_result(), skipped}, with_format("json"));
  const json all = runs_of(runs.display(false).out);
  ASSERT_EQ(all.size(), 10u);
  EXPECT_EQ(all[0].at("name"), "mm/lt/e4m3-bf16/16x4096x7168");
  EXPECT_EQ(all[0].at("error_occurred"), true);
  EXPECT_EQ(all[0].at("error_message"),
            "kernel_failed: cudaLaunchKernel: cudaErrorIllegalAddress (700) in verify");
  EXPECT_EQ(all[9].at("error_message"), "skipped: needs 4 GiB, 1 GiB free");
  EXPECT_FALSE(all[1].contains("error_occurred"));
  const std::string console =
      BenchmarkRuns({failed_result()}, with_format("console")).display(false).out;
  EXPECT_NE(console.find("mm/lt/e4m3-bf16/16x4096x7168 ERROR OCCURRED: 'kernel_failed: "
                         "cudaLaunchKernel: cudaErrorIllegalAddress (700) in verify'"),
            std::string::npos)
      << console;
}

TEST(GoogleBenchmark, ADocumentOfOneResultHasItsRunsOnly) {
  const BenchmarkRuns runs({sample_result(), failed_result(), sample_result()},
                           with_format("console"));
  EXPECT_EQ(runs_of(runs.json(0)).size(), 8u);
  EXPECT_EQ(runs_of(runs.json(1)).size(), 1u);
  EXPECT_EQ(runs_of(runs.json(2)).size(), 8u);
}

TEST(GoogleBenchmark, OneSampleHasNoAggregates) {
  Result result = sample_result();
  result.samples_ms = {0.25};
  const BenchmarkRuns runs({result}, with_format("console"));
  EXPECT_EQ(runs_of(runs.json(0)).size(), 1u);
  EXPECT_NE(runs.display(false).out.find("250 us          250 us            1"), std::string::npos)
      << runs.display(false).out;
}

TEST(GoogleBenchmark, TimeUnitIsHonoured) {
  BenchmarkFlags flags = with_format("json");
  flags.time_unit = "ns";
  const json run = runs_of(BenchmarkRuns({sample_result()}, flags).display(false).out).at(0);
  EXPECT_EQ(run.at("time_unit"), "ns");
  EXPECT_DOUBLE_EQ(run.at("real_time").get<double>(), 12000);
}

TEST(GoogleBenchmark, TextsThatJsonCannotHoldAreMadeValid) {
  Result result = failed_result();
  result.message = "\x1b[31m\"quoted\\\" \xff\x01";
  Result untrusted = sample_result();
  untrusted.untrusted = {"the samples spread by 4 %"};
  const json runs =
      runs_of(BenchmarkRuns({result, untrusted}, with_format("json")).display(false).out);
  EXPECT_EQ(runs[0].at("error_message"), "kernel_failed: [31m\"quoted\\\" \uFFFD");
  EXPECT_EQ(runs[1].at("label"), std::string(label) + " untrusted");
}

TEST(GoogleBenchmark, ANumberThatFailedTheGateIsThereAndItsLabelSaysSo) {
  Result result = sample_result();
  result.verdict = Verdict::regression;
  const json run = runs_of(BenchmarkRuns({result}, with_format("json")).display(false).out).at(0);
  EXPECT_EQ(run.at("label"), std::string(label) + " regression");
  EXPECT_DOUBLE_EQ(run.at("real_time").get<double>(), 12);
}

TEST(GoogleBenchmark, ALabelSaysThatTheDeviceIsAStandIn) {
  Result result = sample_result();
  result.device_name = "MUSA stand-in";
  const json run = runs_of(BenchmarkRuns({result}, with_format("json")).display(false).out).at(0);
  EXPECT_EQ(run.at("label"), std::string(label) + " stand-in");
}

TEST(GoogleBenchmark, OkWithoutSamplesIsABrokenPromise) {
  Result result = sample_result();
  result.samples_ms.clear();
  const auto error = error_of([&] { BenchmarkRuns({result}, BenchmarkFlags{}); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->errc, Errc::internal);
}

TEST(GoogleBenchmark, NoResultsAreNoRuns) {
  const BenchmarkRuns runs({}, with_format("json"));
  EXPECT_EQ(runs_of(runs.display(false).out).size(), 0u);
}

}  // namespace
}  // namespace zl
