// --zl_dump_graph and --zl_samples through supervisor and worker.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "fake_run.hpp"

namespace zl {
namespace {

using test::Outcome;
using test::run;

class CaseFile : public testing::Test {
 protected:
  CaseFile() {
    std::string name = testing::TempDir() + "zl-case-file-XXXXXX";  // other tests run beside
    folder_ = ::mkdtemp(name.data());
  }
  ~CaseFile() override { std::filesystem::remove_all(folder_); }

  std::string path() const { return folder_ + "/file"; }
  std::string content() const {
    std::ostringstream text;
    text << std::ifstream(path()).rdbuf();
    return text.str();
  }
  static std::size_t count(const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
      ++found;
    }
    return found;
  }
  /// The file alone: nothing half-written is left beside it.
  std::size_t files() const {
    const std::filesystem::directory_iterator all(folder_);
    return static_cast<std::size_t>(std::distance(begin(all), end(all)));
  }
  static std::string tag(const Outcome& outcome, const std::string& name) {
    const std::string begin = "name=\"" + name + "\"";
    const std::size_t at = outcome.output.find(begin);
    if (at == std::string::npos) return "";
    const std::size_t value = outcome.output.find('>', at) + 1;
    return outcome.output.substr(value, outcome.output.find('<', value) - value);
  }

 private:
  std::string folder_;
};

TEST_F(CaseFile, TheTimedGraphIsWrittenWhole) {
  const Outcome outcome = run("", "--zl_dump_graph=" + path());
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
  EXPECT_EQ(
      content().rfind("// zl-bench: the graph of " + tag(outcome, "n_repeat") + " calls\n", 0), 0u)
      << content().substr(0, 100);
  EXPECT_EQ(std::to_string(count(content(), "[label=")), tag(outcome, "n_repeat"));
  EXPECT_EQ(files(), 1u);
}

TEST_F(CaseFile, TheGraphThatKilledTheContextStaysThroughTheRunWithoutACapture) {
  const Outcome outcome =
      run("call=kernel phase=replay code=700 kills;", "--zl_dump_graph=" + path());
  EXPECT_EQ(outcome.exit_code, 5) << outcome.output;
  EXPECT_EQ(count(content(), "[label="), 1u) << content();
  EXPECT_TRUE(outcome.says("file holds the graph of 1 call")) << outcome.output;
  EXPECT_FALSE(outcome.says("no graph was captured")) << outcome.output;
}

TEST_F(CaseFile, TheGraphOfAProcessThatCrashedInTheReplayIsThere) {
  EXPECT_EQ(run("call=launch phase=replay crash", "--zl_dump_graph=" + path()).exit_code, 8);
  EXPECT_EQ(count(content(), "[label="), 1u) << content();
}

TEST_F(CaseFile, WithoutAGraphTheMessageSaysSoAndNothingIsWritten) {
  const Outcome outcome = run("call=end_capture code=900", "--zl_dump_graph=" + path());
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
  EXPECT_TRUE(outcome.says("--zl_dump_graph: no graph was captured, so " + path() +
                           " is not written; capture failed"))
      << outcome.output;
  EXPECT_EQ(files(), 0u);
}

TEST_F(CaseFile, EverySampleIsWritten) {
  const Outcome outcome = run("", "--zl_sustained=on --zl_samples=" + path());
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
  EXPECT_EQ(content().rfind("case,window,index,sample_us,calls\n"
                            "twice/own/f32/4096,burst,0,",
                            0),
            0u)
      << content().substr(0, 200);
  EXPECT_EQ(std::to_string(count(content(), ",burst,")), tag(outcome, "samples"));
  EXPECT_GE(count(content(), ",sustained,"), 3u);
  EXPECT_EQ(count(content(), "," + tag(outcome, "n_repeat") + "\n") + 1, count(content(), "\n"));
  EXPECT_EQ(files(), 1u);
}

TEST_F(CaseFile, ADirectSampleIsOneCall) {
  const Outcome outcome = run("", "--zl_method=direct --zl_samples=" + path());
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
  EXPECT_EQ(std::to_string(count(content(), ",1\n")), tag(outcome, "samples"));
}

TEST_F(CaseFile, WithoutAMeasurementThereAreNoSamplesOfAnEarlierOne) {
  std::ofstream(path()) << "case,window,index,sample_us,calls\nan,earlier,0,1,1\n";
  EXPECT_EQ(run("call=kernel phase=warmup code=700", "--zl_samples=" + path()).exit_code, 4);
  EXPECT_EQ(content(), "case,window,index,sample_us,calls\n");
}

TEST_F(CaseFile, OneThatCannotBeWrittenIsAUsageErrorBeforeAnythingIsMeasured) {
  for (const std::string flag : {"--zl_dump_graph=", "--zl_samples="}) {
    for (const std::string& place : {path() + "/in/no/folder", testing::TempDir()}) {
      const Outcome outcome = run("call=generate hang", flag + place);
      EXPECT_EQ(outcome.exit_code, 2) << outcome.output;
      EXPECT_TRUE(outcome.says(flag + place + ": expected a file")) << outcome.output;
    }
  }
  EXPECT_EQ(files(), 0u);
}

TEST_F(CaseFile, AFullDiskIsAUsageErrorAndNoNumber) {
  for (const std::string flag : {"--zl_dump_graph=", "--zl_samples="}) {
    const Outcome outcome = run("", flag + "/dev/full");
    EXPECT_EQ(outcome.exit_code, 2) << outcome.output;
    EXPECT_TRUE(outcome.says("cannot write /dev/full: No space left on device")) << outcome.output;
    EXPECT_FALSE(outcome.has_latency()) << outcome.output;
  }
}

}  // namespace
}  // namespace zl
