#include "report/tags.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <iostream>
#include <limits>

#include "error_of.hpp"
#include "report/host_name.hpp"
#include "sample_result.hpp"
#include "strict_xml.hpp"

namespace zl {
namespace {

using test::error_of;
using test::failed_result;
using test::parse_tag;
using test::sample_result;

std::vector<std::string> names_of(const Result& result) {
  std::vector<std::string> names;
  for (const std::string& line : tag_lines(result)) {
    const auto tag = parse_tag(line);
    EXPECT_TRUE(tag) << line;
    if (tag) names.push_back(tag->name);
  }
  return names;
}

std::string value_of(const Result& result, const std::string& name) {
  for (const std::string& line : tag_lines(result)) {
    const auto tag = parse_tag(line);
    EXPECT_TRUE(tag) << line;
    if (tag && tag->name == name) return tag->value;
  }
  return "(absent)";
}

TEST(Tags, AreTheLinesOfTheContract) {
  const std::vector<std::string> expected = {
      R"(<CTestMeasurement type="numeric/double" name="latency_us">12.5</CTestMeasurement>)",
      R"(<CTestMeasurement type="numeric/double" name="cv_pct">0</CTestMeasurement>)",
      R"(<CTestMeasurement type="numeric/double" name="min_us">12</CTestMeasurement>)",
      R"(<CTestMeasurement type="numeric/double" name="ci_pct">0.25</CTestMeasurement>)",
      R"(<CTestMeasurement type="numeric/double" name="bandwidth_GBps">987.5</CTestMeasurement>)",
      R"(<CTestMeasurement type="numeric/double" name="peak_pct">20.5</CTestMeasurement>)",
      R"(<CTestMeasurement type="numeric/double" name="samples">4</CTestMeasurement>)",
      R"(<CTestMeasurement type="numeric/double" name="n_repeat">128</CTestMeasurement>)",
      R"(<CTestMeasurement type="text/string" name="method">graph</CTestMeasurement>)",
      R"(<CTestMeasurement type="text/string" name="cache">cold</CTestMeasurement>)",
      R"(<CTestMeasurement type="text/string" name="capture">clean</CTestMeasurement>)",
      R"(<CTestMeasurement type="text/string" name="verdict">ok</CTestMeasurement>)",
      R"(<CTestMeasurement type="text/string" name="statistic">median</CTestMeasurement>)",
      R"(<CTestMeasurement type="text/string" name="schedule">adaptive</CTestMeasurement>)",
      R"(<CTestMeasurement type="text/string" name="cold_by">rotation</CTestMeasurement>)",
      R"(<CTestMeasurement type="text/string" name="harness_version">)" +
          std::string(ZL_TEST_VERSION) + "</CTestMeasurement>",
      R"(<CTestMeasurement type="text/string" name="node">)" + host_name() + "</CTestMeasurement>",
      R"(<CTestMeasurement type="text/string" name="device">Host CPU</CTestMeasurement>)"};
  EXPECT_EQ(tag_lines(sample_result()), expected);
}

TEST(Tags, ComeInTheOrderOfTheDesign) {
  Result r = sample_result();
  const std::vector<std::string> metrics = {"latency_us",     "latency_q20_us",  "cv_pct",
                                            "min_us",         "ci_pct",          "sustained_us",
                                            "eager_us",       "host_enqueue_us", "bandwidth_GBps",
                                            "compute_TFLOPS", "peak_pct",        "speedup"};
  for (const std::string& metric : metrics) r.metrics[metric] = 1;
  r.metrics["something_else"] = 1;
  r.capture = Capture::fallback;
  r.capture_reason = "capture:NothingCaptured";
  r.gate = Gate{Gate::Outcome::passed, "", 12, 13, 10, {12.5}};
  r.requested_cache = "auto";
  r.driver = "580.1";
  r.runtime = "13.0";
  r.device_uuid = "GPU-1";
  std::vector<std::string> expected = metrics;
  for (const char* name : {"samples", "n_repeat", "method", "cache", "capture", "capture_reason",
                           "verdict", "statistic", "gate", "schedule", "requested_cache", "cold_by",
                           "driver", "runtime", "harness_version", "node", "device", "device_uuid"})
    expected.emplace_back(name);
  EXPECT_EQ(names_of(r), expected);
}

TEST(Tags, SayWhyANumberIsNotToBeReliedOn) {
  Result r = sample_result();
  EXPECT_EQ(value_of(r, "untrusted"), "(absent)");
  r.untrusted = {"heat", "noise"};
  r.implausible = "too fast";
  EXPECT_EQ(value_of(r, "untrusted"), "heat; noise");
  EXPECT_EQ(value_of(r, "implausible"), "too fast");
  Result failed = failed_result();
  failed.untrusted = {"heat"};
  EXPECT_EQ(value_of(failed, "untrusted"), "(absent)") << "there is no number to doubt";
}

TEST(Tags, ClaimNothingOfALatencyThatIsNotThere) {
  EXPECT_EQ(names_of(failed_result()), (std::vector<std::string>{"verdict", "device"}));
  Result poisoned = failed_result();
  poisoned.verdict = Verdict::capture_poisoned;
  poisoned.capture_reason = "replay:cudaErrorIllegalAddress";
  poisoned.samples_ms = {0.1};
  EXPECT_EQ(names_of(poisoned),
            (std::vector<std::string>{"capture", "capture_reason", "verdict", "device"}));
}

TEST(Tags, KeepTheNumberThatFailedTheGate) {
  Result r = sample_result();
  r.verdict = Verdict::regression;
  r.gate = Gate{Gate::Outcome::regression, "slow", 10, 10.5, 10, {12.5, 12, 12.25}};
  EXPECT_EQ(value_of(r, "latency_us"), "12.5");
  EXPECT_EQ(value_of(r, "verdict"), "regression");
  EXPECT_EQ(value_of(r, "gate"), "regression");
}

TEST(Tags, EscapeXml) {
  Result r = sample_result();
  r.device_name = R"(<a> & "b" 'c' ]]>)";
  EXPECT_EQ(value_of(r, "device"), r.device_name);
  EXPECT_EQ(tag_lines(r).back(),
            R"(<CTestMeasurement type="text/string" name="device">&lt;a&gt; &amp; &quot;b&quot; )"
            R"(&apos;c&apos; ]]&gt;</CTestMeasurement>)");
}

TEST(Tags, DropControlCharactersTerminalColoursAndInvalidUtf8) {
  Result r = sample_result();
  r.device_name =
      "\x1b[1;31mA\x1b[0m\x01" + std::string(1, '\0') + "B\xff\xe2\x82\n\u0085C\uFFFE \u20ac";
  EXPECT_EQ(value_of(r, "device"), "AB C \u20ac");
  r.device_name = "\x01\n";
  EXPECT_EQ(value_of(r, "device"), "(absent)");
}

TEST(Tags, RefuseNumbersThatAreNotFinite) {
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    Result r = sample_result();
    r.metrics["peak_pct"] = bad;
    const auto error = error_of([&] { tag_lines(r); });
    ASSERT_TRUE(error);
    EXPECT_EQ(error->errc, Errc::internal);
    EXPECT_NE(std::string(error->what()).find("peak_pct"), std::string::npos);
  }
}

TEST(Tags, NumbersAreTheShortestThatReadBack) {
  EXPECT_EQ(shortest_decimal(0.1), "0.1");
  EXPECT_EQ(shortest_decimal(1000000), "1000000");
  EXPECT_EQ(shortest_decimal(-2.5), "-2.5");
  EXPECT_EQ(shortest_decimal(0), "0");
  EXPECT_EQ(shortest_decimal(1e-5), "0.00001");
  EXPECT_EQ(shortest_decimal(1e22), "1e+22");
  for (const double value : {1.0 / 3, 12.345678901234567, 6.02214076e23, 2.5e-308, 123456789.125})
    EXPECT_EQ(std::stod(shortest_decimal(value)), value);
}

TEST(Tags, FollowWhatStdoutStillHeld) {
  testing::internal::CaptureStdout();
  std::cout << "before" << '\n';
  std::printf("and this\n");
  print_tags(1, failed_result());
  EXPECT_EQ(testing::internal::GetCapturedStdout(),
            "before\nand this\n"
            "<CTestMeasurement type=\"text/string\" name=\"verdict\">kernel_failed"
            "</CTestMeasurement>\n"
            "<CTestMeasurement type=\"text/string\" name=\"device\">Host CPU</CTestMeasurement>\n");
}

}  // namespace
}  // namespace zl
