// What a measurement of a command becomes: tags, result file, Google Benchmark's document, gate.
#include <gtest/gtest.h>

#include <fstream>

#include "command_process.hpp"
#include "report/tags.hpp"
#include "tests/gate/baseline_file.hpp"

namespace zl {
namespace {

using Json = nlohmann::json;

struct CommandResult : CommandProcess {
  std::string tag(const std::string& name) const {
    const std::string opening = "name=\"" + name + "\">";
    const std::string out = process->out();
    const std::size_t at = out.find(opening);
    if (at == std::string::npos) return "";
    const std::size_t start = at + opening.size();
    return out.substr(start, out.find('<', start) - start);
  }
};

TEST_F(CommandResult, TheTagsAreTheResultFilesNumbers) {
  Json json = measured();
  json.update({{"bytes", 3000}, {"flops", 3e6}, {"calls_per_sample", 7}, {"verified", true}});
  ASSERT_EQ(run_writing(json, {"--zl_result_dir=" + results()}), 0) << output();
  const Json metrics = result().at("metrics");
  for (const auto& metric : metrics.items()) {
    EXPECT_EQ(tag(metric.key()), shortest_decimal(metric.value().get<double>())) << metric.key();
  }
  EXPECT_DOUBLE_EQ(metrics.at("latency_us").get<double>(), 1.5);
  EXPECT_DOUBLE_EQ(metrics.at("min_us").get<double>(), 1.4);
  EXPECT_DOUBLE_EQ(metrics.at("bandwidth_GBps").get<double>(), 2);
  EXPECT_DOUBLE_EQ(metrics.at("compute_TFLOPS").get<double>(), 2);
  EXPECT_EQ(metrics.at("samples"), 10);
  EXPECT_EQ(metrics.at("n_repeat"), 7);
  EXPECT_TRUE(metrics.contains("cv_pct"));
  // Nobody measured these.
  EXPECT_FALSE(metrics.contains("eager_us") || metrics.contains("host_enqueue_us"));
}

TEST_F(CommandResult, SaysHowItWasObtained) {
  Json json = measured();
  json.update({{"cache", "cold"}, {"cold_by", "flush"}, {"notes", {{"block", "128"}}}});
  ASSERT_EQ(
      run_writing(json, {"--zl_result_dir=" + results(), R"(--zl_columns={"model": "a \\ ;[b"})"}),
      0)
      << output();
  const Json r = result();
  EXPECT_EQ(r.at("id"), Json({{"op", "mm"},
                              {"impl", "own"},
                              {"types", "f16:bf16"},
                              {"shape", "4x1x8"},
                              {"backend", "fake"}}));
  EXPECT_EQ(r.at("method"), "command");
  EXPECT_EQ(r.at("schedule"), "loop");
  EXPECT_EQ(r.at("cache"), "cold");
  EXPECT_EQ(r.at("cold_by"), "flush");
  EXPECT_EQ(r.at("statistic"), "median");
  EXPECT_EQ(r.at("verified"), "no: the command does not say");
  EXPECT_EQ(r.at("implementation").at("block"), "128");
  EXPECT_EQ(r.at("columns").at("model"), "a \\ ;[b");
  EXPECT_EQ(r.at("device_name"), "Fake GPU");
  EXPECT_EQ(r.at("samples_ms").size(), 10u);
  EXPECT_EQ(tag("method"), "command");
  EXPECT_EQ(tag("schedule"), "loop");
  EXPECT_EQ(tag("cold_by"), "flush");
  EXPECT_EQ(tag("capture"), "off");
}

TEST_F(CommandResult, WhatCannotBeOrDoesNotRepeatIsMarked) {
  Json json = measured();
  json.update({{"cache", "cold"}, {"cold_by", "flush"}, {"bytes", 1e9}});
  json["samples_us"] = {1, 9, 1, 9, 1, 9, 1, 9, 1, 9, 5};
  ASSERT_EQ(run_writing(json), 0) << output();
  EXPECT_NE(tag("untrusted").find("unsteady: ci_pct"), std::string::npos) << output();
  EXPECT_NE(tag("implausible").find("more bytes than a call moves"), std::string::npos) << output();
}

TEST_F(CommandResult, ARateBeyondAllNumbersIsAnErrorThatNamesIt) {
  Json json = measured();
  json["samples_us"] = std::vector<double>(10, 1e-9);
  json["flops"] = 1e308;
  expect_no_number(run_writing(json), 2, "usage");
  EXPECT_TRUE(says("the compute_TFLOPS that its samples_us, bytes and flops come to")) << output();
}

TEST_F(CommandResult, ADocumentOnStandardOutputStandsThereAlone) {
  ASSERT_EQ(run_writing(measured(), {"--benchmark_format=json"}, "echo chatter"), 0) << output();
  const Json document = Json::parse(process->out());
  EXPECT_EQ(document.at("benchmarks").at(0).at("name"), "mm/own/f16-bf16/4x1x8");
  EXPECT_NE(process->err().find("chatter"), std::string::npos);
}

TEST_F(CommandResult, OneThatCannotBeWrittenIsAnErrorAndNoNumberIsShown) {
  const std::string file = write("a_file", "");
  EXPECT_EQ(run_writing(measured(), {"--zl_result_dir=" + file + "/results"}), 2) << output();
  EXPECT_FALSE(says("1.5 us")) << output();
  EXPECT_FALSE(says("latency_us")) << output();
  EXPECT_TRUE(says("cannot create directory")) << output();
}

/// Ten runs of the case in a baseline, 1 us each; then the case, which takes 1.5.
struct CommandGate : CommandResult {
  CommandGate() {
    baseline.json["device"] = "Fake GPU";
    baseline.json["driver"] = "";
    baseline.json["runtime"] = "";
    baseline.json["expires"] = "9999-12-31";
  }
  int run_against(double us, Method method, const std::string& schedule) {
    Result r = test::result_of(us);
    r.id = {"mm", "own", "f16:bf16", "4x1x8", "fake"};
    r.method = method;
    r.cache = Cache::warm;
    r.cold_by = "";
    r.schedule = schedule;
    for (int i = 0; i < 10; ++i) baseline.add(r);
    return run_writing(measured(),
                       {"--zl_baseline=" + baseline.write(), "--zl_result_dir=" + results()},
                       "echo x >>" + folder + "/runs");
  }
  std::size_t runs() const { return contents(folder + "/runs").size() / 2; }

  test::BaselineFile baseline;
};

TEST_F(CommandGate, ARegressionIsMeasuredInThreeProcessesAndEndsWithSeven) {
  EXPECT_EQ(run_against(1, Method::command, "loop"), 7) << output();
  EXPECT_EQ(runs(), 3u);
  EXPECT_EQ(tag("verdict"), "regression");
  EXPECT_EQ(tag("gate"), "regression");
  EXPECT_EQ(tag("latency_us"), "1.5");
  EXPECT_EQ(result().at("gate").at("tried_us").size(), 3u);
}

TEST_F(CommandGate, OneAsFastAsItsBaselinePasses) {
  EXPECT_EQ(run_against(1.5, Method::command, "loop"), 0) << output();
  EXPECT_EQ(runs(), 1u);
  EXPECT_EQ(tag("gate"), "passed");
}

TEST_F(CommandGate, NumbersOfGraphsAreNoneToCompareWith) {
  EXPECT_EQ(run_against(1.5, Method::graph, "loop"), 7) << output();
  EXPECT_EQ(tag("gate"), "changed");
}

TEST_F(CommandGate, NorAreThoseOfACommandThatMeasuredOtherwise) {
  EXPECT_EQ(run_against(1, Method::command, "events"), 0) << output();
  EXPECT_EQ(tag("gate"), "no_baseline");
}

}  // namespace
}  // namespace zl
