#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <string>

namespace zl::test {

struct Outcome {
  int exit_code = -1;
  std::string output;  ///< stdout and stderr

  bool says(const std::string& text) const { return output.find(text) != std::string::npos; }
  bool has_latency() const { return says("name=\"latency_us\""); }
};

/// zl_fake_op over a fake device with these faults.
inline Outcome run(const std::string& faults, const std::string& more = "",
                   const std::string& environment = "") {
  const std::string command =
      environment + " ZL_LOCK_DIR=" + ::testing::TempDir() + "zl-process-locks ZL_FAKE_FAULTS='" +
      faults + "' '" ZL_FAKE_OP "' --zl_case=own/f32/4096 --zl_tags --zl_phase_limit_s=30 " + more +
      " 2>&1";
  Outcome outcome;
  FILE* pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) return outcome;
  std::array<char, 4096> chunk;
  while (const std::size_t count = std::fread(chunk.data(), 1, chunk.size(), pipe)) {
    outcome.output.append(chunk.data(), count);
  }
  const int status = ::pclose(pipe);
  if (WIFEXITED(status)) outcome.exit_code = WEXITSTATUS(status);
  return outcome;
}

}  // namespace zl::test
