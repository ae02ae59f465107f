#pragma once

#include <string>
#include <vector>

#include "measure/result.hpp"

namespace zl {

struct ReportOptions {
  bool tags = false;                        ///< print CTest measurement tags
  std::string result_dir;                   ///< empty: no result files
  std::string samples;                      ///< file for every sample; empty: none
  std::vector<std::string> benchmark_args;  ///< the `--benchmark_*` flags
};

/// Errc::usage where results could not be stored: to be told before anything is measured.
void prepare_report(const ReportOptions& options);

/// Reports results in this order: result files, the file of samples, Google Benchmark's output
/// file, its table or document, a line for each result, tags. So a number is never shown that could
/// not be stored. Where `--benchmark_format` asks for JSON or CSV, standard output carries that
/// document alone and the rest goes to standard error.
///
/// Errc::usage for bad flags (validate_benchmark_flags() finds them before measuring) and for what
/// cannot be written; Errc::internal for a number that is not finite.
void report(const std::vector<Result>& results, const ReportOptions& options);

/// Of cases that were called for a profiler: a line for each, and nothing that holds a number.
void report_profiled(const std::vector<Result>& results, int text_fd);

}  // namespace zl
