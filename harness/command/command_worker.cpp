#include "command/command_worker.hpp"

#include <fcntl.h>

#include <algorithm>
#include <csignal>
#include <memory>
#include <utility>

#include "command/child.hpp"
#include "command/command_result.hpp"
#include "command/measurement.hpp"
#include "supervisor/worker.hpp"
#include "zl/error.hpp"

namespace zl {
namespace {

constexpr int skip_exit_code = 77;

/// A command's arguments with its placeholders filled in.
std::vector<std::string> filled_in(const CommandLine& line) {
  const std::string run_name = line.selected.id.run_name();
  const std::pair<std::string, std::string> values[] = {
      {"{impl}", line.selected.id.impl},
      {"{case}", run_name.substr(run_name.find('/') + 1)},
      {"{result}", line.result_file}};
  std::vector<std::string> arguments = line.command;
  for (std::string& argument : arguments) {
    for (const auto& [placeholder, value] : values) {
      for (std::size_t at = 0; (at = argument.find(placeholder, at)) != std::string::npos;
           at += value.size()) {
        argument.replace(at, placeholder.size(), value);
      }
    }
  }
  return arguments;
}

Result no_number(Verdict verdict, const std::string& message) {
  Result result;
  result.verdict = verdict;
  result.message = message;
  return result;
}

Result crashed(const std::string& reason, const std::string& why) {
  Result result = no_number(Verdict::crashed, "the command was " + why);
  result.failure = Failure{Phase::command, reason, result.message};
  return result;
}

/// What a command that has ended comes to. Where it says why there is no number, that counts
/// whatever its exit status is; a number counts only where it ended well.
Result judged(const CommandLine& line, const CommandEnd& end, const Backend& backend,
              const DeviceIdentity& identity, CaseProgress& progress) {
  const Ending& ending = end.ending;
  if (ending.by_signal) {
    const bool killed = ending.code == SIGKILL;
    return crashed(
        ending.name(),
        ending.text() + (killed ? " (not by us; the system may have run out of memory)" : ""));
  }
  const std::optional<CommandMeasurement> measurement = read_measurement(line.result_file);
  if (!measurement) {
    if (ending.code == skip_exit_code) {
      return no_number(Verdict::skipped, "the command ended with exit status 77 and no result");
    }
    return crashed("ExitWithoutResult", ending.text() + " and no result");
  }
  if (!measurement->skip.empty()) return no_number(Verdict::skipped, measurement->skip);
  if (!measurement->failed.empty()) return no_number(Verdict::kernel_failed, measurement->failed);
  if (measurement->verified && !*measurement->verified) {
    return no_number(Verdict::wrong_result, "the command says verified: false");
  }
  if (ending.code != 0) return crashed("ExitStatus", ending.text() + " after it wrote a result");
  const std::unique_ptr<Device> device = backend.open(identity);
  progress.set_device(device->info());
  return command_result(line.selected.id, *measurement, end.wall_ms, device->info());
}

}  // namespace

int run_command_worker(const CommandLine& line, const Backend& backend) {
  // Else the command would keep our end of the connection to the supervisor.
  ::fcntl(line.invocation.worker_fd, F_SETFD, FD_CLOEXEC);
  const auto work = [&](const DeviceIdentity& identity, const FileDescriptor& lock,
                        CaseProgress& progress) {
    DeviceInfo known;
    known.identity = identity;
    progress.set_device(known);
    progress.phase(Phase::command);
    const CommandEnd end =
        run_command(filled_in(line), environment_for(backend.name(), identity.ordinal), lock);
    Result result;
    try {
      result = judged(line, end, backend, identity, progress);
    } catch (const Error& error) {
      if (error.errc != Errc::usage && error.errc != Errc::untimeable) throw;
      std::string why = error.what();
      if (end.ending.code != 0) why += "; the command was " + end.ending.text();
      result = no_number(error.errc == Errc::usage ? Verdict::usage : Verdict::untimeable, why);
    }
    result.measured_ms = end.wall_ms;
    return progress.described(result);
  };
  return run_worker(line.invocation, line.selected, backend, work);
}

}  // namespace zl
