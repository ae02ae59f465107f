#include <unistd.h>

#include <cstdio>
#include <string>
#include <vector>

#include "cli/case_selection.hpp"
#include "cli/flags.hpp"
#include "cli/invocation.hpp"
#include "device/device.hpp"
#include "gate/gate.hpp"
#include "report/report.hpp"
#include "supervisor/supervise.hpp"
#include "supervisor/supervised_run.hpp"
#include "supervisor/worker.hpp"
#include "zl/error.hpp"
#include "zl/registry.hpp"

namespace {

void list(const zl::Invocation& invocation, const std::vector<zl::Selected>& cases) {
  for (const zl::Selected& one : cases) std::printf("%s\n", one.id.run_name().c_str());
  if (invocation.benchmark.list_tests) return;  // for a program to read
  const std::string& program = invocation.argv.front();
  if (cases.empty()) {
    std::printf("%s has no cases; --zl_case=IMPL/TYPES/SHAPE measures one\n", program.c_str());
    return;
  }
  std::printf("\n%zu cases. To measure one, or those that match a regular expression:\n",
              cases.size());
  std::printf("  %s --zl_case=%s\n", program.c_str(), cases.front().id.run_name().c_str());
  std::printf("  %s --benchmark_filter=%s\n", program.c_str(), cases.front().id.impl.c_str());
}

/// The exit code of one case; of several the first that says something went wrong.
int exit_status(const std::vector<zl::Result>& results) {
  bool all_skipped = true;
  for (const zl::Result& result : results) {
    const zl::Exit code = zl::exit_code(result.verdict);
    if (code != zl::Exit::ok && code != zl::Exit::skipped) return static_cast<int>(code);
    all_skipped = all_skipped && code == zl::Exit::skipped;
  }
  return static_cast<int>(all_skipped ? zl::Exit::skipped : zl::Exit::ok);
}

zl::Result measure_one(const zl::Invocation& invocation, const zl::Selected& one) {
  const auto deadline = zl::case_deadline(invocation);
  const auto measure = [&] { return zl::supervise(invocation, one, deadline); };
  return zl::gated(measure(), invocation.gate, zl::today(), measure);
}

int measure_all(const zl::Invocation& invocation, const std::vector<zl::Selected>& cases) {
  const bool tell = cases.size() > 1 && (invocation.environment.verbose || ::isatty(2) == 1);
  std::vector<zl::Result> results;
  int interrupted_by = 0;
  try {
    for (const zl::Selected& one : cases) {
      if (tell) {
        std::fprintf(stderr, "[%zu/%zu] %s\n", results.size() + 1, cases.size(),
                     one.id.run_name().c_str());
      }
      results.push_back(invocation.in_process ? zl::run_in_process(invocation, one, zl::backend())
                                              : measure_one(invocation, one));
    }
  } catch (const zl::Interrupted& interrupted) {
    interrupted_by = interrupted.signal;
  }
  // What was measured before an interruption is as true as ever.
  if (invocation.options.profile) {
    zl::report_profiled(results, invocation.text_fd());
  } else if (!results.empty()) {
    zl::report(results, invocation.report);
  }
  return interrupted_by != 0 ? 128 + interrupted_by : exit_status(results);
}

int run(const std::vector<std::string>& argv) {
  const zl::Declared& declared = zl::declared_cases();
  const zl::Invocation invocation =
      zl::parse_invocation(argv, declared, zl::read_environment(environ));
  if (invocation.help) {
    std::fputs(zl::help_text(argv.front()).c_str(), stdout);
    return 0;
  }
  const std::vector<zl::Selected> cases =
      zl::select_cases(invocation, zl::registered_ops(), declared, zl::backend().name());
  if (invocation.is_worker() && !cases.empty()) {
    const int status = zl::run_worker(invocation, cases.front(), zl::backend());
    std::fflush(nullptr);
    ::_exit(status);
  }
  zl::require_one_case(invocation, cases);
  if (invocation.benchmark.list_tests ||
      (invocation.case_name.empty() && invocation.benchmark.filter.empty())) {
    list(invocation, cases);
    return 0;
  }
  if (!invocation.options.profile) zl::prepare_report(invocation.report);
  return measure_all(invocation, cases);
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
  std::fprintf(stderr, "%s: %s\n", argc > 0 ? argv[0] : "zl", why.c_str());
  return static_cast<int>(code);
}
