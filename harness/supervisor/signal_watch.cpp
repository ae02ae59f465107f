#include "supervisor/signal_watch.hpp"

#include <sys/signalfd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "zl/error.hpp"

namespace zl {
namespace {

bool is_ignored(int signal) {
  struct sigaction action {};
  return ::sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

}  // namespace

SignalWatch::SignalWatch() {
  // A child of a parent that ignores SIGCHLD would vanish without its exit status.
  if (is_ignored(SIGCHLD)) std::signal(SIGCHLD, SIG_DFL);
  sigset_t watched;
  sigemptyset(&watched);
  sigaddset(&watched, SIGCHLD);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    if (!is_ignored(signal)) sigaddset(&watched, signal);
  }
  fd_ = FileDescriptor(::signalfd(-1, &watched, SFD_CLOEXEC | SFD_NONBLOCK));
  if (!fd_) throw Error(Errc::internal, std::string("signalfd: ") + std::strerror(errno));
  ::sigprocmask(SIG_BLOCK, &watched, &original_);
}

SignalWatch::~SignalWatch() { ::sigprocmask(SIG_SETMASK, &original_, nullptr); }

int SignalWatch::take() {
  int ending = 0;
  signalfd_siginfo info{};
  while (::read(fd_.get(), &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
    if (info.ssi_signo != static_cast<unsigned>(SIGCHLD)) ending = static_cast<int>(info.ssi_signo);
  }
  return ending;
}

}  // namespace zl
