#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "cli/case_selection.hpp"
#include "cli/invocation.hpp"
#include "supervisor/supervise.hpp"

namespace zl {

/// A folder for a test's files, and in it the locks.
class TestFolder {
 public:
  TestFolder() {
    std::string name = testing::TempDir() + "/zl-supervisor-XXXXXX";
    path_ = ::mkdtemp(name.data());
    ::setenv("ZL_LOCK_DIR", locks().c_str(), 1);
    ::setenv("ZL_SCRIPT_FILE", file().c_str(), 1);
  }
  ~TestFolder() {
    ::unsetenv("ZL_LOCK_DIR");
    ::unsetenv("ZL_SCRIPT_FILE");
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;

  const std::string& path() const { return path_; }
  std::string locks() const { return path_ + "/locks"; }
  std::string file() const { return path_ + "/file"; }

 private:
  std::string path_;
};

/// supervise() in the test's own process, with zl_scripted as the worker. The default limits are
/// far above what any script but a hanging one takes, on a busy machine too.
class SupervisedCase : public testing::Test {
 protected:
  Result run(const std::string& script, std::vector<std::string> flags = {}) {
    flags.insert(flags.begin(), ZL_SCRIPTED);
    const Op op{"scripted", {"n"}, {{"f32", nullptr}}};
    const Selected selected{&op, {"scripted", script, "f32", "1", "scripted"}, {{"model", "tiny"}}};
    const Invocation invocation = parse_invocation(flags, {}, read_environment(environ));
    const Result result = supervise(invocation, selected, case_deadline(invocation), ZL_SCRIPTED);
    EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1) << "a child was left, dead or alive";
    EXPECT_EQ(result.id.run_name(), "scripted/" + script + "/f32/1");
    EXPECT_EQ(result.columns.at("model"), "tiny");
    return result;
  }
  static bool mentions(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  }

  TestFolder folder_;
};

}  // namespace zl
