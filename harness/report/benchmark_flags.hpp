#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace zl {

/// What the `--benchmark_*` flags of a command line ask for.
struct BenchmarkFlags {
  std::string filter;  ///< empty: every case
  bool list_tests = false;
  std::string format = "console";  ///< of standard output: console, json, csv
  std::string out;                 ///< file; empty: none
  std::string out_format = "json";
  std::string color = "auto";  ///< auto, true, false
  bool counters_tabular = false;
  bool report_aggregates_only = false;
  /// The default leaves a console one line for each statistic, not one for each sample.
  bool display_aggregates_only = true;
  std::string context;  ///< "key=value,..."
  std::string time_unit = "us";

  /// Standard output carries one document and nothing else.
  bool document_on_stdout() const { return format != "console"; }
};

/// Checks `--benchmark_*` flags and the BENCHMARK_* variables behind them (a flag wins) before
/// anything is measured. Errc::usage, naming the flag and what is allowed, for an unknown flag, a
/// bad value, a filter that is no regular expression, an output file that cannot be made, and for
/// flags that would rule how Google Benchmark measures: it is given samples that we measured. Those
/// flags' variables have no effect.
BenchmarkFlags validate_benchmark_flags(const std::vector<std::string>& args);

/// Whether Google Benchmark would run `run_name` under `--benchmark_filter=filter`: an extended
/// regular expression found anywhere; "" and "all" match everything, a leading '-' negates.
bool filter_matches(std::string_view filter, std::string_view run_name);

/// The indices of the names that match. Errc::usage where none does.
std::vector<std::size_t> filtered(std::string_view filter,
                                  const std::vector<std::string>& run_names);

}  // namespace zl
