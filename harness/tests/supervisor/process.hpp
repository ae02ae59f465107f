#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

namespace zl {

inline std::string contents(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

/// Waits for what must come; the test's own time limit ends a wait in vain.
inline void wait_until(const std::function<bool()>& condition) {
  while (!condition()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
}

/// Whether a process runs; a zombie does not.
inline bool is_alive(pid_t pid) {
  const std::string status = contents("/proc/" + std::to_string(pid) + "/stat");
  const std::size_t name_end = status.rfind(')');
  return name_end != std::string::npos && status.substr(name_end + 2, 1) != "Z";
}

/// A child with its output in two files; killed on destruction.
class Process {
 public:
  Process(std::vector<std::string> argv, const std::string& output)
      : out_(output + ".out"), err_(output + ".err") {
    std::vector<char*> pointers;
    for (std::string& argument : argv) pointers.push_back(argument.data());
    pointers.push_back(nullptr);
    pid_ = ::fork();
    if (pid_ == 0) {
      const int flags = O_CREAT | O_TRUNC | O_WRONLY;
      ::dup2(::open(out_.c_str(), flags, 0666), 1);
      ::dup2(::open(err_.c_str(), flags, 0666), 2);
      ::execvp(pointers[0], pointers.data());
      ::_exit(127);
    }
  }
  ~Process() {
    if (pid_ < 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  pid_t pid() const { return pid_; }
  void send(int signal) const { ::kill(pid_, signal); }
  /// The exit status, or the negative signal that ended it.
  int wait() {
    int status = 0;
    ::waitpid(pid_, &status, 0);
    pid_ = -1;
    return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
  }
  std::string out() const { return contents(out_); }
  std::string err() const { return contents(err_); }

 private:
  std::string out_;
  std::string err_;
  pid_t pid_ = -1;
};

}  // namespace zl
