#include "report/console.hpp"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <string>

#include "zl/error.hpp"

namespace zl {

void write_all(int fd, std::string_view text) {
  std::cout.flush();
  std::fflush(stdout);
  while (!text.empty()) {
    const ssize_t written = ::write(fd, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EAGAIN) {
      pollfd ready{fd, POLLOUT, 0};
      ::poll(&ready, 1, -1);
    } else if (errno != EINTR) {
      const std::string where = fd == STDOUT_FILENO   ? "standard output"
                                : fd == STDERR_FILENO ? "standard error"
                                                      : "descriptor " + std::to_string(fd);
      throw Error(Errc::usage, "cannot write to " + where + ": " + std::strerror(errno));
    }
  }
}

bool colours_on(int fd) {
  const auto set = [](const char* variable) -> std::string_view {
    const char* value = std::getenv(variable);
    return value == nullptr ? "" : value;
  };
  if (!set("NO_COLOR").empty()) return false;
  if (const std::string_view force = set("FORCE_COLOR"); !force.empty()) return force != "0";
  return ::isatty(fd) == 1 && set("TERM") != "dumb";
}

}  // namespace zl
