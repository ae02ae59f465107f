#include "supervisor/relay.hpp"

#include <fcntl.h>
#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <climits>

namespace zl {

Relay::Relay(FileDescriptor from, int to) : from_(std::move(from)), to_(to) {
  ::fcntl(from_.get(), F_SETFL, ::fcntl(from_.get(), F_GETFL) | O_NONBLOCK);
}

void Relay::read_some() {
  char bytes[65536];
  const ssize_t count = ::read(from_.get(), bytes, sizeof bytes);
  if (count > 0) {
    pending_.append(bytes, static_cast<std::size_t>(count));
  } else if (count == 0 || (errno != EAGAIN && errno != EINTR)) {
    from_.close();
    at_end_ = true;
  }
}

/// As much of `pending_` as a pipe that is ready takes without blocking (PIPE_BUF), up to the end
/// of a line if there is one in it.
std::size_t Relay::writable_size() const {
  if (pending_.empty()) return 0;
  const std::size_t most = std::min<std::size_t>(pending_.size(), PIPE_BUF);
  const std::size_t line_end = pending_.rfind('\n', most - 1);
  if (line_end != std::string::npos) return line_end + 1;
  return at_end_ || pending_.size() >= PIPE_BUF ? most : 0;
}

void Relay::write_some() {
  const ssize_t count = ::write(to_, pending_.data(), writable_size());
  if (count >= 0) {
    pending_.erase(0, static_cast<std::size_t>(count));
  } else if (errno != EINTR && errno != EAGAIN) {
    pending_.clear();  // nobody can read it any more
  }
}

void Relay::drain(std::chrono::steady_clock::time_point deadline) {
  // What a pipe holds is far less than this.
  for (int reads = 0; reads < 32 && from_; ++reads) {
    const std::size_t before = pending_.size();
    read_some();
    if (pending_.size() == before) break;
  }
  from_.close();
  at_end_ = true;
  while (!pending_.empty()) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        deadline - std::chrono::steady_clock::now());
    pollfd ready{to_, POLLOUT, 0};
    if (::poll(&ready, 1, static_cast<int>(std::max<long>(0, left.count()))) > 0) {
      write_some();
    } else if (left.count() <= 0) {
      return;
    }
  }
}

}  // namespace zl
