#include "report/report.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "error_of.hpp"
#include "report/result_json.hpp"
#include "report/samples_csv.hpp"
#include "report/tags.hpp"
#include "sample_result.hpp"
#include "scoped_directory.hpp"
#include "scoped_environment.hpp"

namespace zl {
namespace {

using nlohmann::json;
using test::content_of;
using test::error_of;
using test::failed_result;
using test::sample_result;
using test::ScopedDirectory;
using test::ScopedEnvironment;

struct Printed {
  std::string out, err;
};

Printed reported(const std::vector<Result>& results, const ReportOptions& options) {
  const ScopedEnvironment plain("NO_COLOR", "1");
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  report(results, options);
  Printed printed;
  printed.out = testing::internal::GetCapturedStdout();
  printed.err = testing::internal::GetCapturedStderr();
  return printed;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Report, ConsoleIsTheTableThenTheSummaryThenTheTags) {
  ReportOptions options;
  options.tags = true;
  const Printed printed = reported({sample_result()}, options);
  const std::size_t table = printed.out.find("_median");
  const std::size_t summary = printed.out.find("12.5 us \u00b1 0.25 %");
  const std::size_t tags = printed.out.find("<CTestMeasurement");
  ASSERT_NE(tags, std::string::npos) << printed.out;
  EXPECT_LT(table, summary);
  EXPECT_LT(summary, tags);
  std::string all_tags;
  for (const std::string& line : tag_lines(sample_result())) all_tags += line + "\n";
  EXPECT_EQ(printed.out.substr(tags), all_tags);
  EXPECT_FALSE(has(printed.out, "\x1b"));
}

TEST(Report, WritesTheSamplesBeforeItShowsANumber) {
  const ScopedDirectory directory;
  ReportOptions options;
  options.samples = directory / "samples.csv";
  reported({sample_result()}, options);
  EXPECT_EQ(content_of(options.samples), samples_csv(sample_result()));
  options.samples = "/dev/full";
  const ScopedEnvironment plain("NO_COLOR", "1");
  testing::internal::CaptureStdout();
  const auto error = error_of([&] { report({sample_result()}, options); });
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  ASSERT_TRUE(error);
  EXPECT_EQ(error->errc, Errc::usage);
}

TEST(Report, WithoutTagsPrintsNone) {
  EXPECT_FALSE(has(reported({sample_result()}, {}).out, "CTestMeasurement"));
}

TEST(Report, StdoutIsTheJsonDocumentAlone) {
  ReportOptions options;
  options.tags = true;
  options.benchmark_args = {"--benchmark_format=json"};
  const Printed printed = reported({sample_result(), failed_result()}, options);
  const json document = json::parse(printed.out);
  EXPECT_EQ(document.at("benchmarks").size(), 9u);
  EXPECT_TRUE(has(printed.err, "<CTestMeasurement"));
  EXPECT_TRUE(has(printed.err, "kernel_failed"));
}

TEST(Report, StdoutIsTheCsvDocumentAlone) {
  ReportOptions options;
  options.tags = true;
  options.benchmark_args = {"--benchmark_format=csv"};
  const Printed printed = reported({sample_result()}, options);
  EXPECT_EQ(printed.out.rfind("name,iterations,", 0), 0u);
  EXPECT_FALSE(has(printed.out, "<"));
  EXPECT_EQ(std::count(printed.out.begin(), printed.out.end(), '\n'), 8);
}

TEST(Report, TwoResultsShareOneOutputFile) {
  const ScopedDirectory directory;
  for (const char* format : {"json", "csv", "console"}) {
    ReportOptions options;
    options.benchmark_args = {"--benchmark_out=" + (directory / "out"),
                              std::string("--benchmark_out_format=") + format};
    reported({sample_result(), sample_result("lt")}, options);
    const std::string text = content_of(directory / "out");
    EXPECT_TRUE(has(text, "mm/own/e4m3-bf16/16x4096x7168")) << format;
    EXPECT_TRUE(has(text, "mm/lt/e4m3-bf16/16x4096x7168")) << format;
    EXPECT_FALSE(has(text, "manual_time")) << format;
    EXPECT_FALSE(has(text, "\x1b")) << format;
    if (std::string(format) == "json") {
      EXPECT_EQ(json::parse(text).at("benchmarks").size(), 16u);
    }
  }
  EXPECT_EQ(directory.names(), std::vector<std::string>{"out"});
}

TEST(Report, WritesOneResultFileForEachCase) {
  const ScopedDirectory directory;
  ReportOptions options;
  options.result_dir = directory.path;
  reported({sample_result(), failed_result()}, options);
  const json good =
      json::parse(content_of(directory / "perf.host.mm.own.e4m3-bf16.16x4096x7168.json"));
  const json bad =
      json::parse(content_of(directory / "perf.host.mm.lt.e4m3-bf16.16x4096x7168.json"));
  EXPECT_EQ(good.at("zl").at("result"), to_json(sample_result()));
  EXPECT_EQ(bad.at("zl").at("result").at("verdict"), "kernel_failed");
  EXPECT_EQ(bad.at("benchmarks").size(), 1u);
  EXPECT_EQ(directory.names().size(), 2u);
}

TEST(Report, ANumberThatCannotBeStoredIsNotPrinted) {
  ReportOptions options;
  options.tags = true;
  options.result_dir = "/dev/null/results";
  testing::internal::CaptureStdout();
  const auto error = error_of([&] { report({sample_result()}, options); });
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  ASSERT_TRUE(error);
  EXPECT_EQ(error->errc, Errc::usage);
  EXPECT_TRUE(has(error->what(), "/dev/null/results"));
}

TEST(Report, AFullStandardOutputIsAnError) {
  std::fflush(stdout);
  const int kept = ::dup(STDOUT_FILENO);
  const int full = ::open("/dev/full", O_WRONLY | O_CLOEXEC);
  ASSERT_GE(full, 0);
  ::dup2(full, STDOUT_FILENO);
  const auto error = error_of([] { report({sample_result()}, {}); });
  ::dup2(kept, STDOUT_FILENO);
  ::close(kept);
  ::close(full);
  ASSERT_TRUE(error);
  EXPECT_EQ(std::string(error->what()), "cannot write to standard output: No space left on device");
}

TEST(Report, BadFlagsAreUsageErrors) {
  ReportOptions options;
  options.benchmark_args = {"--benchmark_format=xml"};
  const auto error = error_of([&] { report({sample_result()}, options); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->errc, Errc::usage);
}

/// In a process of its own, for the context is process-wide.
TEST(ReportDeathTest, ContextOfTheCommandLineIsInEveryDocument) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  const auto report_twice = [] {
    ReportOptions options;
    options.benchmark_args = {"--benchmark_format=json", "--benchmark_context=commit=abc,run=2"};
    for (int i = 0; i < 2; ++i) {
      const Printed printed = reported({sample_result()}, options);
      const json context = json::parse(printed.out).at("context");
      const bool complete = context.at("commit") == "abc" && context.at("run") == "2";
      if (!complete || has(printed.err, "custom context")) std::exit(1);
    }
    std::exit(0);
  };
  EXPECT_EXIT(report_twice(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace zl
