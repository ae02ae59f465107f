#pragma once

#include <string>
#include <vector>

#include "cli/environment.hpp"
#include "measure/options.hpp"
#include "report/benchmark_flags.hpp"
#include "report/report.hpp"
#include "zl/registry.hpp"

namespace zl {

/// Time limits of one case, in seconds.
struct Limits {
  double timeout_s = 300;     ///< CTest's own TIMEOUT; ours fires a little before it
  double phase_limit_s = 60;  ///< a phase that shows no sign of life for longer has hung
  double lock_wait_s = 240;
};

/// The comparison with a baseline (docs/baseline.md).
struct GateOptions {
  std::string baseline;  ///< a file, or a directory of them; empty: no comparison
  double tolerance_pct = 5;
};

/// A command line and an environment, read and checked.
struct Invocation {
  std::vector<std::string> argv;  ///< as given: what a worker is started with
  Environment environment;
  Options options;
  Limits limits;
  GateOptions gate;
  ReportOptions report;
  std::string case_name;     ///< of --zl_case; empty: none
  BenchmarkFlags benchmark;  ///< what report.benchmark_args ask for; a worker reads none
  bool help = false;
  bool in_process = false;
  int worker_fd = -1;    ///< of a worker: its end of the channel
  bool colours = false;  ///< of a worker: its supervisor writes to a terminal

  bool is_worker() const { return worker_fd >= 0; }
  /// Where what is not a report goes: standard output, unless that is one JSON or CSV document.
  int text_fd() const { return benchmark.document_on_stdout() ? 2 : 1; }
};

/// Reads `argv` after the flags of `declared`, so that a flag given by hand wins over what
/// zl_add_perf_test() said. Everything that is wrong is a usage error naming the flag, the value
/// and what is allowed.
Invocation parse_invocation(const std::vector<std::string>& argv, const Declared& declared,
                            Environment environment);

}  // namespace zl
