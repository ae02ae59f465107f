// zl_perf_command_<backend>: a command that measures by its own means, as a zl executable.
#include <stdlib.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "command/command_line.hpp"
#include "command/command_worker.hpp"
#include "device/device.hpp"
#include "gate/gate.hpp"
#include "report/report.hpp"
#include "supervisor/supervise.hpp"
#include "supervisor/supervised_run.hpp"
#include "zl/error.hpp"

namespace {

/// A folder for one result of the command. Ours to remove, since a worker may be killed.
class ResultFolder {
 public:
  ResultFolder() {
    std::error_code error;
    const std::filesystem::path parent = std::filesystem::temp_directory_path(error);
    path_ = (parent / "zl-command-XXXXXX").string();
    if (error || ::mkdtemp(path_.data()) == nullptr) {
      throw zl::Error(zl::Errc::usage, "cannot make a folder for the command's result: " + path_ +
                                           ": " + (error ? error.message() : std::strerror(errno)) +
                                           "; TMPDIR says where");
    }
  }
  ~ResultFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ResultFolder(const ResultFolder&) = delete;
  ResultFolder& operator=(const ResultFolder&) = delete;

  std::string file() const { return path_ + "/result.json"; }

 private:
  std::string path_;
};

zl::Result run_supervised(const zl::CommandLine& line, zl::PhaseWatch::Clock::time_point deadline) {
  const ResultFolder folder;
  zl::Invocation invocation = line.invocation;
  invocation.argv.push_back("--zl_result_file=" + folder.file());
  zl::Result result = zl::supervise(invocation, line.selected, deadline);
  result.method = zl::Method::command;
  return result;
}

int measure(const zl::CommandLine& line) {
  const auto deadline = zl::case_deadline(line.invocation);
  const auto measured = [&] { return run_supervised(line, deadline); };
  try {
    const zl::Result result = zl::gated(measured(), line.invocation.gate, zl::today(), measured);
    zl::report({result}, line.invocation.report);
    return static_cast<int>(zl::exit_code(result.verdict));
  } catch (const zl::Interrupted& interrupted) {
    return 128 + interrupted.signal;
  }
}

int run(const std::vector<std::string>& argv) {
  const zl::CommandLine line =
      zl::parse_command_line(argv, zl::read_environment(environ), zl::backend().name());
  if (line.invocation.help) {
    std::fputs(zl::command_help(argv.front()).c_str(), stdout);
    return 0;
  }
  if (line.invocation.is_worker()) {
    const int status = zl::run_command_worker(line, zl::backend());
    std::fflush(nullptr);
    ::_exit(status);
  }
  zl::prepare_report(line.invocation.report);
  return measure(line);
}

}  // namespace

int main(int argc, char** argv) {
  zl::Exit code = zl::Exit::internal;
  std::string why;
  try {
    return run({argv, argv + argc});
  } catch (const zl::Error& error) {
    why = error.what();
    if (error.errc == zl::Errc::usage) code = zl::Exit::usage;
  } catch (const std::exception& error) {
    why = error.what();
  }
  std::fprintf(stderr, "%s: %s\n", argc > 0 ? argv[0] : "zl_perf_command", why.c_str());
  return static_cast<int>(code);
}
