#pragma once

#include <chrono>
#include <string>

#include "supervisor/file_descriptor.hpp"

namespace zl {

/// Passes what a worker writes on, byte for byte, whole lines at a time. Neither a slow reader of
/// ours nor a slow writer stops the supervisor: both ends are only used when poll() says so.
class Relay {
 public:
  /// `to` stays the caller's.
  Relay(FileDescriptor from, int to);

  /// Whether to poll `from` for reading: not while our own reader is far behind.
  bool wants_input() const { return static_cast<bool>(from_) && pending_.size() < high_water; }
  /// Whether to poll `to` for writing.
  bool wants_output() const { return writable_size() > 0; }
  int from() const { return from_.get(); }
  int to() const { return to_; }

  void read_some();
  /// Only when `to` is ready. Writes what surely does not block.
  void write_some();
  /// After the worker's end: passes on what it left in the pipe. A grandchild may hold the other
  /// end open for ever, so this waits for no more input, and no longer than `deadline` for our
  /// reader.
  void drain(std::chrono::steady_clock::time_point deadline);

 private:
  std::size_t writable_size() const;

  static constexpr std::size_t high_water = 1 << 20;
  FileDescriptor from_;
  int to_;
  std::string pending_;
  bool at_end_ = false;  ///< no more input: the last line need not be whole
};

}  // namespace zl
