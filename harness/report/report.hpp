#pragma once

#include <string>
#include <vector>

#include "measure/result.hpp"

namespace zl {

struct ReportOptions {
  bool tags = false;                        ///< print CTest measurement tags
  std::string result_dir;                   ///< empty: no result files
  std::vector<std::string> benchmark_args;  ///< the `--benchmark_*` flags
};

/// Reports results in this order: result files, Google Benchmark's output file, its table or
/// document, a line for each result, tags. So a number is never shown that could not be stored.
/// Where `--benchmark_format` asks for JSON or CSV, standard output carries that document alone and
/// the rest goes to standard error.
///
/// Errc::usage for bad flags (validate_benchmark_flags() finds them before measuring) and for what
/// cannot be written; Errc::internal for a number that is not finite.
void report(const std::vector<Result>& results, const ReportOptions& options);

}  // namespace zl
