#include "supervisor/worker_process.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include <cerrno>
#include <cstring>
#include <thread>

#include "zl/error.hpp"

namespace zl {
namespace {

constexpr auto reap_interval = std::chrono::milliseconds(2);
constexpr auto last_grace = std::chrono::seconds(2);

[[noreturn]] void fail_start(const std::string& what, int error) {
  throw Error(Errc::internal, "starting a worker: " + what + ": " + std::strerror(error));
}

struct Pipe {
  FileDescriptor read;
  FileDescriptor write;
};

Pipe make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) fail_start("pipe", errno);
  return {FileDescriptor(ends[0]), FileDescriptor(ends[1])};
}

/// What the child needs between fork and exec, where nothing may be allocated.
struct Child {
  const char* program;
  char* const* argv;
  int channel;
  int out;
  int err;
  int failure;  ///< gets errno where exec fails
  pid_t parent;
  const sigset_t* signal_mask;
};

[[noreturn]] void become(const Child& child) {
  ::setpgid(0, 0);
  // The parent may have died before the kernel was told to watch it.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != child.parent) ::_exit(127);
  ::dup2(child.out, STDOUT_FILENO);
  ::dup2(child.err, STDERR_FILENO);
  ::fcntl(child.channel, F_SETFD, 0);
  ::sigprocmask(SIG_SETMASK, child.signal_mask, nullptr);
  ::execv(child.program, child.argv);
  const int error = errno;
  [[maybe_unused]] const auto written = ::write(child.failure, &error, sizeof error);
  ::_exit(127);
}

}  // namespace

std::string Ending::name() const {
  const char* abbreviation = ::sigabbrev_np(code);
  return abbreviation != nullptr ? "SIG" + std::string(abbreviation)
                                 : "signal " + std::to_string(code);
}

std::string Ending::text() const {
  return by_signal ? "killed by " + name() : "gone with exit status " + std::to_string(code);
}

WorkerProcess::WorkerProcess(const std::string& program, std::vector<std::string> argv,
                             const sigset_t& signal_mask)
    : channel_(FileDescriptor()) {
  Channel::Pair ends = Channel::make();
  Pipe out = make_pipe();
  Pipe err = make_pipe();
  Pipe failure = make_pipe();
  argv.push_back("--zl_worker_fd=" + std::to_string(ends.worker.fd()));
  std::vector<char*> pointers;
  for (std::string& argument : argv) pointers.push_back(argument.data());
  pointers.push_back(nullptr);

  const Child child{program.c_str(), pointers.data(),     ends.worker.fd(), out.write.get(),
                    err.write.get(), failure.write.get(), ::getpid(),       &signal_mask};
  pid_ = ::fork();
  if (pid_ < 0) fail_start("fork", errno);
  if (pid_ == 0) become(child);

  // The descriptor closes on exec, so this waits until the child is the worker.
  failure.write.close();
  int error = 0;
  ssize_t count = 0;
  do {
    count = ::read(failure.read.get(), &error, sizeof error);
  } while (count < 0 && errno == EINTR);
  if (count == static_cast<ssize_t>(sizeof error)) {
    ::waitpid(pid_, nullptr, 0);
    fail_start(program, error);
  }
  channel_ = std::move(ends.supervisor);
  stdout_ = std::move(out.read);
  stderr_ = std::move(err.read);
}

WorkerProcess::~WorkerProcess() { finish(std::chrono::steady_clock::now() + last_grace); }

bool WorkerProcess::has_ended() const {
  siginfo_t info{};
  return ::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         info.si_pid == pid_;
}

std::optional<Ending> WorkerProcess::finish(std::chrono::steady_clock::time_point deadline) {
  if (pid_ < 0) return std::nullopt;
  ::kill(-pid_, SIGKILL);
  int status = 0;
  pid_t reaped = 0;
  while ((reaped = ::waitpid(pid_, &status, WNOHANG)) == 0 || (reaped < 0 && errno == EINTR)) {
    if (std::chrono::steady_clock::now() >= deadline) return std::nullopt;
    std::this_thread::sleep_for(reap_interval);
  }
  pid_ = -1;
  if (reaped < 0) return std::nullopt;
  if (WIFSIGNALED(status)) return Ending{true, WTERMSIG(status)};
  return Ending{false, WEXITSTATUS(status)};
}

}  // namespace zl
