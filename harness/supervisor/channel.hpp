#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "supervisor/file_descriptor.hpp"

namespace zl {

/// One end of the connection between supervisor and worker: lines of JSON over a socket.
///
/// The worker sends {"device": {"ordinal", "uuid", "name"}}, then {"phase": name},
/// {"alive": true}, {"complete": result} as they come, at last {"result": result}. The supervisor
/// answers the device with {"lock": true} and the descriptor of the device's lock.
class Channel {
 public:
  struct Pair;
  /// Two connected ends; both are closed on exec.
  static Pair make();
  explicit Channel(FileDescriptor socket) : socket_(std::move(socket)) {}

  /// Waits while the other end does not read. Throws internal where the other end is gone.
  void send(const nlohmann::json& message) { send(message, -1); }
  /// The same with an open file: the other end gets a descriptor of its own (`fd` < 0: none).
  void send(const nlohmann::json& message, int fd);

  /// Reads what is there, without waiting. False: the other end is closed.
  bool read_available();
  /// The next whole message. Throws internal where it is not JSON.
  std::optional<nlohmann::json> next();
  /// Waits for the next message. Throws internal where the other end is closed instead.
  nlohmann::json wait();
  /// The last descriptor that came with a message.
  FileDescriptor take_descriptor() { return std::move(received_); }

  int fd() const { return socket_.get(); }
  void close() { socket_.close(); }

 private:
  bool receive(int flags);

  FileDescriptor socket_;
  FileDescriptor received_;
  std::string buffer_;
  std::size_t scanned_ = 0;  ///< of buffer_: no line end before it
};

struct Channel::Pair {
  Channel supervisor;
  Channel worker;
};

}  // namespace zl
