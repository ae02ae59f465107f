// Each exit code as CTest sees it: a test directory of one test per code, run by ctest.

#include <gtest/gtest.h>

#include <fstream>

#include "process.hpp"
#include "supervised_case.hpp"
#include "supervisor/device_lock.hpp"

namespace zl {
namespace {

struct Expected {
  std::string script;
  int code;
  std::string flags;
};

const std::vector<Expected>& expected() {
  static const std::vector<Expected> all = {
      {"ok", 0, ""},
      {"skipped", 77, ""},
      {"malformed", 2, ""},
      {"wrong_result", 3, ""},
      {"kernel_failed", 4, ""},
      {"poisoned_ok", 5, ""},
      {"hang_replay", 6, "--zl_phase_limit_s=0.6"},
      {"live_on", 6, "--zl_timeout_s=0.5"},
      {"segv", 8, ""},
      {"untimeable", 9, ""},
      {"no_graph", 11, ""},
      {"broken", 70, ""},
  };
  return all;
}

/// What Test.xml has between a test's name and its end.
std::string record_of(const std::string& xml, const std::string& test) {
  const std::size_t status = xml.find("<Name>" + test + "</Name>");
  EXPECT_NE(status, std::string::npos) << test;
  const std::size_t start = xml.rfind("<Test Status=", status);
  return xml.substr(start, xml.find("</Test>", start) - start);
}

std::string test_xml(const std::string& directory) {
  for (const auto& entry : std::filesystem::recursive_directory_iterator(directory)) {
    if (entry.path().filename() == "Test.xml") return contents(entry.path());
  }
  return "";
}

struct CTestDirectory {
  explicit CTestDirectory(const std::string& path) : path(path) {
    std::ofstream(path + "/DartConfiguration.tcl")
        << "Site: here\nBuildDirectory: " << path << "\n";
  }
  void add(const std::string& name, const std::string& flags) {
    // In quotes: the build's path may hold a space.
    text += "add_test(" + name + " \"" + ZL_SCRIPTED + "\" --zl_tags " + flags + ")\n" +
            "set_tests_properties(" + name + " PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 60)\n";
  }
  std::string run() const {
    std::ofstream(path + "/CTestTestfile.cmake") << text;
    Process ctest({ZL_CTEST, "--test-dir", path, "-T", "Test"}, path + "/ctest");
    ctest.wait();
    return test_xml(path + "/Testing");
  }
  std::string path;
  std::string text;
};

void expect_code(const std::string& xml, const std::string& name, int code) {
  const std::string record = record_of(xml, name);
  const std::string status = code == 0 ? "passed" : code == 77 ? "notrun" : "failed";
  EXPECT_EQ(record.rfind("<Test Status=\"" + status + "\"", 0), 0u) << record;
  if (status != "failed") return;
  // The value is on a line of its own.
  const std::size_t value = record.find("<Value>", record.find("name=\"Exit Value\""));
  const std::string expected_value = "<Value>" + std::to_string(code) + "</Value>";
  ASSERT_NE(value, std::string::npos) << record;
  EXPECT_EQ(record.substr(value, expected_value.size()), expected_value) << record;
}

TEST(ExitCode, EachIsWhatCTestSees) {
  const TestFolder folder;
  CTestDirectory directory(folder.path());
  for (const Expected& one : expected()) {
    directory.add(one.script, "--zl_case=" + one.script + "/f32/1 " + one.flags);
  }
  directory.add("usage", "--zl_case=ok/f32/1 --zl_method=magic");
  const std::string xml = directory.run();
  for (const Expected& one : expected()) expect_code(xml, one.script, one.code);
  expect_code(xml, "usage", 2);
}

TEST(ExitCode, ABusyDeviceIsWhatCTestSees) {
  const TestFolder folder;
  DeviceLock holder(folder.locks(), "uuid/0");
  ASSERT_TRUE(holder.try_acquire());
  CTestDirectory directory(folder.path());
  directory.add("busy", "--zl_case=ok/f32/1 --zl_lock_wait_s=0.1");
  expect_code(directory.run(), "busy", 10);
}

TEST(ExitCode, CTestsOwnTimeoutNeverFiresBeforeOurs) {
  const TestFolder folder;
  CTestDirectory directory(folder.path());
  directory.add("late", "--zl_case=live_on/f32/1 --zl_timeout_s=5");
  directory.text += "set_tests_properties(late PROPERTIES TIMEOUT 5)\n";
  expect_code(directory.run(), "late", 6);
}

}  // namespace
}  // namespace zl
