#pragma once

#include <csignal>

#include "supervisor/file_descriptor.hpp"

namespace zl {

/// While it lives, the signals that ask a process to end, and SIGCHLD, arrive as readable bytes
/// instead of interrupting. A signal that was ignored before stays ignored.
class SignalWatch {
 public:
  SignalWatch();
  ~SignalWatch();
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;

  /// Readable when a signal has come.
  int fd() const { return fd_.get(); }
  /// The signal that asked this process to end; 0: none.
  int take();
  /// The mask of before: a child starts with it.
  const sigset_t& original_mask() const { return original_; }

 private:
  sigset_t original_{};
  FileDescriptor fd_;
};

}  // namespace zl
