#pragma once

#include <sys/types.h>

#include <chrono>
#include <csignal>
#include <optional>
#include <string>
#include <vector>

#include "supervisor/channel.hpp"
#include "supervisor/file_descriptor.hpp"

namespace zl {

/// How a process ended: by a signal, or with an exit status.
struct Ending {
  bool by_signal = false;
  int code = 0;
  /// Of the signal: "SIGSEGV".
  std::string name() const;
  /// "killed by SIGSEGV", "gone with exit status 3".
  std::string text() const;
};

/// A worker: a child in a process group of its own, with its own pipes for stdout and stderr, that
/// the kernel kills when the supervisor dies. Killed and reaped at the latest on destruction.
class WorkerProcess {
 public:
  /// Starts `program` with `argv` and --zl_worker_fd=N. Throws internal where that fails.
  WorkerProcess(const std::string& program, std::vector<std::string> argv,
                const sigset_t& signal_mask);
  ~WorkerProcess();
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  Channel& channel() { return channel_; }
  FileDescriptor take_stdout() { return std::move(stdout_); }
  FileDescriptor take_stderr() { return std::move(stderr_); }

  /// Whether it has ended; it stays a zombie, so that its process group keeps its number.
  bool has_ended() const;
  /// Kills whatever is left of its process group, and reaps it. Nothing if even SIGKILL does not
  /// end it before `deadline` (a driver may hold it); it keeps the device's lock then.
  std::optional<Ending> finish(std::chrono::steady_clock::time_point deadline);

 private:
  pid_t pid_ = -1;
  Channel channel_;
  FileDescriptor stdout_;
  FileDescriptor stderr_;
};

}  // namespace zl
