#pragma once

#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "measure/result.hpp"
#include "report/benchmark_flags.hpp"

namespace zl {

/// Results as Google Benchmark's own run objects. Each result is registered as a benchmark named
/// CaseId::run_name() and run with its samples as repetitions of manual time; a result that has no
/// samples to show or whose verdict is not ok is one errored run. Names lose Google Benchmark's
/// suffixes and the CPU time is the manual time, in every format.
///
/// Google Benchmark's state is process-wide: its registry is cleared before and after, and its
/// context (`--benchmark_context`) is that of the first object.
class BenchmarkRuns {
 public:
  /// Errc::internal where a verdict of ok comes without samples.
  BenchmarkRuns(const std::vector<Result>& results, const BenchmarkFlags& flags);

  struct Text {
    std::string out;  ///< for standard output or a file
    std::string err;  ///< Google Benchmark's context, which the console and CSV put on stderr
  };
  /// As --benchmark_format asks.
  Text display(bool colours) const;
  /// As --benchmark_out_format asks.
  std::string file() const;
  /// Google Benchmark's JSON document of one result.
  std::string json(std::size_t result) const;

 private:
  using Run = benchmark::BenchmarkReporter::Run;
  using Runs = std::vector<Run>;
  struct Family {
    Runs repetitions;
    Runs aggregates;
  };
  enum class Repetitions : bool { shown, summarized };

  std::vector<Runs> batches(Repetitions repetitions) const;
  Text rendered(const std::string& format, std::vector<Runs> batches, bool colours) const;

  BenchmarkFlags flags_;
  std::vector<Family> families_;
  std::size_t name_width_ = 10;  ///< of the console's first column
};

}  // namespace zl
