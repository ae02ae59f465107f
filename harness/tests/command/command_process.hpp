#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/supervisor/process.hpp"

namespace zl {

/// zl_perf_command over the fake device, each run in a process of its own, with the files of a test
/// in one folder.
class CommandProcess : public testing::Test {
 protected:
  CommandProcess() {
    std::string name = testing::TempDir() + "/zl-command-test-XXXXXX";
    folder = ::mkdtemp(name.data());
    ::setenv("ZL_LOCK_DIR", (folder + "/locks").c_str(), 1);
    ::setenv("TMPDIR", temporary().c_str(), 1);
    std::filesystem::create_directories(temporary());
  }
  ~CommandProcess() override {
    EXPECT_TRUE(std::filesystem::is_empty(temporary())) << "a command's result was left behind";
    for (const char* variable : {"ZL_LOCK_DIR", "TMPDIR", "ZL_FAKE_NO_DEVICE", "ZL_REQUIRE_DEVICE",
                                 "FAKE_VISIBLE_DEVICES"}) {
      ::unsetenv(variable);
    }
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
  }

  /// A measurement of 1.5 us that lacks nothing.
  static nlohmann::json measured() {
    return {{"schema", "zl-perf-command/1"},
            {"samples_us", {1.5, 1.4, 1.5, 1.5, 1.6, 1.5, 1.5, 1.5, 1.5, 1.5}},
            {"method", "loop"},
            {"cache", "warm"}};
  }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder + "/" + name) << text;
    return folder + "/" + name;
  }

  /// The program's arguments for one case, `flags` and a command.
  static std::vector<std::string> arguments(const std::vector<std::string>& flags,
                                            const std::vector<std::string>& command) {
    std::vector<std::string> argv = {ZL_PERF_COMMAND, "--zl_op=mm", "--zl_case=own/f16-bf16/4x1x8",
                                     "--zl_tags"};
    argv.insert(argv.end(), flags.begin(), flags.end());
    argv.emplace_back("--");
    argv.insert(argv.end(), command.begin(), command.end());
    return argv;
  }
  /// Starts it; run() waits for its end, too.
  void start(const std::vector<std::string>& argv) {
    process = std::make_unique<Process>(argv, folder + "/output");
  }
  int run(const std::vector<std::string>& argv) {
    start(argv);
    return process->wait();
  }
  /// A command that writes `text`, then does what a shell is told.
  int run_writing_text(const std::string& text, const std::vector<std::string>& flags = {},
                       const std::string& then = "true") {
    const std::string file = write("written", text);
    return run(arguments(flags, {"sh", "-c", R"(cp "$0" "$1"; )" + then, file, "{result}"}));
  }
  int run_writing(const nlohmann::json& json, const std::vector<std::string>& flags = {},
                  const std::string& then = "true") {
    return run_writing_text(json.dump(), flags, then);
  }

  /// Whether it printed this, on standard output or error.
  bool says(const std::string& text) const {
    return process->out().find(text) != std::string::npos ||
           process->err().find(text) != std::string::npos;
  }
  std::string output() const { return process->out() + process->err(); }
  void expect_no_number(int code, int expected_code, const std::string& verdict) const {
    EXPECT_EQ(code, expected_code) << output();
    EXPECT_FALSE(says("name=\"latency_us\"")) << output();
    EXPECT_TRUE(says("name=\"verdict\">" + verdict + "<")) << output();
  }

  std::string results() const { return folder + "/results"; }
  std::string temporary() const { return folder + "/temporary"; }
  /// The "result" of the case's result file.
  nlohmann::json result() const {
    const std::string text = contents(results() + "/perf.fake.mm.own.f16-bf16.4x1x8.json");
    return nlohmann::json::parse(text).at("zl").at("result");
  }

  std::string folder;
  std::unique_ptr<Process> process;
};

}  // namespace zl
