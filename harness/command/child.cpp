#include "command/child.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cctype>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>

#include "cli/flag_value.hpp"
#include "zl/error.hpp"

namespace zl {
namespace {

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

/// In the child: only what may be called between fork and exec.
[[noreturn]] void become(char* const* argv, char* const* environment, int lock, int failure,
                         pid_t parent) {
  // The parent may have died before the kernel was told to watch it.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(127);
  if (lock >= 0) ::fcntl(lock, F_SETFD, 0);
  ::execvpe(argv[0], argv, environment);
  const int error = errno;
  [[maybe_unused]] const auto written = ::write(failure, &error, sizeof error);
  ::_exit(127);
}

/// Waits until the child is the command. errno of exec where that failed, else 0.
int exec_error(int failure) {
  int error = 0;
  ssize_t count = 0;
  do {
    count = ::read(failure, &error, sizeof error);
  } while (count < 0 && errno == EINTR);
  return count == static_cast<ssize_t>(sizeof error) ? error : 0;
}

int wait_for(pid_t pid) {
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

[[noreturn]] void refuse(const std::string& program, int error) {
  throw Error(Errc::usage,
              "the command cannot be started: " + program + ": " + std::strerror(error));
}

}  // namespace

CommandEnd run_command(const std::vector<std::string>& argv,
                       const std::vector<std::string>& environment, const FileDescriptor& lock) {
  std::vector<std::string> arguments = argv;
  std::vector<std::string> variables = environment;
  const std::vector<char*> argv_pointers = pointers_to(arguments);
  const std::vector<char*> variable_pointers = pointers_to(variables);
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) refuse(argv.front(), errno);
  const FileDescriptor read_end(ends[0]);
  FileDescriptor write_end(ends[1]);

  const auto start = std::chrono::steady_clock::now();
  const pid_t parent = ::getpid();
  const pid_t pid = ::fork();
  if (pid < 0) refuse(argv.front(), errno);
  if (pid == 0) {
    become(argv_pointers.data(), variable_pointers.data(), lock.get(), write_end.get(), parent);
  }
  write_end.close();
  const int error = exec_error(read_end.get());
  const int status = wait_for(pid);
  if (error != 0) refuse(argv.front(), error);
  const std::chrono::duration<double, std::milli> wall = std::chrono::steady_clock::now() - start;
  const Ending ending =
      WIFSIGNALED(status) ? Ending{true, WTERMSIG(status)} : Ending{false, WEXITSTATUS(status)};
  return {ending, wall.count()};
}

std::vector<std::string> environment_for(const std::string& backend, int ordinal) {
  std::string variable;
  if (backend != "host") {
    for (const char c : backend) variable += static_cast<char>(std::toupper(c));
    variable += "_VISIBLE_DEVICES=";
  }
  std::vector<std::string> variables;
  std::string device = std::to_string(ordinal);
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    if (variable.empty() || text.substr(0, variable.size()) != variable) {
      variables.emplace_back(text);
      continue;
    }
    const std::vector<std::string_view> visible = split(text.substr(variable.size()), ',');
    const auto index = static_cast<std::size_t>(ordinal);
    if (index < visible.size() && !visible[index].empty()) device = visible[index];
  }
  if (!variable.empty()) variables.push_back(variable + device);
  return variables;
}

}  // namespace zl
