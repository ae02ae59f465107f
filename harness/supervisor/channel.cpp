#include "supervisor/channel.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "zl/error.hpp"

namespace zl {
namespace {

[[noreturn]] void fail(const std::string& what, int error) {
  throw Error(Errc::internal, what + " between supervisor and worker: " + std::strerror(error));
}

union ControlBuffer {
  char bytes[CMSG_SPACE(sizeof(int))];
  cmsghdr alignment;
};

void attach(msghdr* header, ControlBuffer* control, int fd) {
  header->msg_control = control->bytes;
  header->msg_controllen = sizeof control->bytes;
  cmsghdr* message = CMSG_FIRSTHDR(header);
  message->cmsg_level = SOL_SOCKET;
  message->cmsg_type = SCM_RIGHTS;
  message->cmsg_len = CMSG_LEN(sizeof fd);
  std::memcpy(CMSG_DATA(message), &fd, sizeof fd);
}

}  // namespace

Channel::Pair Channel::make() {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) fail("socketpair", errno);
  return {Channel(FileDescriptor(ends[0])), Channel(FileDescriptor(ends[1]))};
}

void Channel::send(const nlohmann::json& message, int fd) {
  // A vendor's text need not be UTF-8; a line that cannot be read would hide the failure it names.
  std::string line = message.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  ControlBuffer control{};
  for (std::size_t sent = 0; sent < line.size();) {
    iovec part{line.data() + sent, line.size() - sent};
    msghdr header{};
    header.msg_iov = &part;
    header.msg_iovlen = 1;
    if (fd >= 0 && sent == 0) attach(&header, &control, fd);
    const ssize_t count = ::sendmsg(socket_.get(), &header, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail("sending", errno);
    sent += static_cast<std::size_t>(count);
  }
}

/// One read. False: the other end is closed, or with MSG_DONTWAIT nothing is there (errno EAGAIN).
bool Channel::receive(int flags) {
  char bytes[65536];
  iovec part{bytes, sizeof bytes};
  ControlBuffer control{};
  msghdr header{};
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  header.msg_control = control.bytes;
  header.msg_controllen = sizeof control.bytes;
  ssize_t count = 0;
  do {
    count = ::recvmsg(socket_.get(), &header, flags | MSG_CMSG_CLOEXEC);
  } while (count < 0 && errno == EINTR);
  if (count < 0 && errno != EAGAIN && errno != ECONNRESET) fail("receiving", errno);
  if (count <= 0) {
    if (count == 0) errno = 0;
    return false;
  }
  cmsghdr* message = CMSG_FIRSTHDR(&header);
  if (message != nullptr && message->cmsg_type == SCM_RIGHTS) {
    int fd = -1;
    std::memcpy(&fd, CMSG_DATA(message), sizeof fd);
    received_ = FileDescriptor(fd);
  }
  buffer_.append(bytes, static_cast<std::size_t>(count));
  return true;
}

bool Channel::read_available() {
  while (receive(MSG_DONTWAIT)) {
  }
  return errno == EAGAIN;
}

std::optional<nlohmann::json> Channel::next() {
  const std::size_t end = buffer_.find('\n', scanned_);
  if (end == std::string::npos) {
    scanned_ = buffer_.size();
    return std::nullopt;
  }
  const std::string line = buffer_.substr(0, end);
  buffer_.erase(0, end + 1);
  scanned_ = 0;
  nlohmann::json message = nlohmann::json::parse(line, nullptr, false);
  if (message.is_discarded() || !message.is_object()) {
    throw Error(Errc::internal, "not a message: '" + line.substr(0, 200) + "'");
  }
  return message;
}

nlohmann::json Channel::wait() {
  for (;;) {
    if (std::optional<nlohmann::json> message = next()) return *std::move(message);
    if (!receive(0)) throw Error(Errc::internal, "the supervisor is gone");
  }
}

}  // namespace zl
