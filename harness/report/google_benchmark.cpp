#include "report/google_benchmark.hpp"

#include <errno.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <memory>
#include <sstream>

#include "report/utf8.hpp"
#include "zl/error.hpp"

namespace zl {
namespace {

using benchmark::BenchmarkReporter;

benchmark::TimeUnit unit_of(const std::string& unit) {
  if (unit == "ns") return benchmark::kNanosecond;
  if (unit == "ms") return benchmark::kMillisecond;
  if (unit == "s") return benchmark::kSecond;
  return benchmark::kMicrosecond;
}

/// Every flag that has a say is given, so that BENCHMARK_* variables have none: a warm-up, say,
/// would eat samples. Flags that a version does not know are left alone by it.
void initialize_library(const BenchmarkFlags& flags) {
  std::vector<std::string> args = {"--benchmark_filter=",
                                   "--benchmark_list_tests=false",
                                   "--benchmark_format=console",
                                   "--benchmark_out=",
                                   "--benchmark_out_format=json",
                                   "--benchmark_color=false",
                                   "--benchmark_counters_tabular=false",
                                   "--benchmark_time_unit=us",
                                   "--benchmark_repetitions=1",
                                   "--benchmark_min_warmup_time=0",
                                   "--benchmark_enable_random_interleaving=false",
                                   "--benchmark_report_aggregates_only=false",
                                   "--benchmark_display_aggregates_only=false",
                                   "--benchmark_perf_counters=",
                                   "--benchmark_dry_run=false"};
  if (!flags.context.empty()) args.push_back("--benchmark_context=" + flags.context);
  // The library keeps the pointer to the program's name.
  std::vector<char*> argv = {program_invocation_name};
  for (std::string& arg : args) argv.push_back(arg.data());
  int argc = static_cast<int>(argv.size());
  argv.push_back(nullptr);
  benchmark::Initialize(&argc, argv.data());
}

/// The library's flags and context are process-wide, and it complains of a context given twice.
void initialize_library_once(const BenchmarkFlags& flags) {
  static const bool initialized = (initialize_library(flags), true);
  static_cast<void>(initialized);
}

std::string label_of(const Result& result) {
  std::string label = "method=" + std::string(name(result.method)) +
                      " cache=" + std::string(name(result.cache)) +
                      " capture=" + std::string(name(result.capture)) +
                      " statistic=" + result.statistic + " schedule=" + result.schedule;
  if (!result.cold_by.empty()) label += " cold_by=" + result.cold_by;
  if (result.on_stand_in()) label += " stand-in";
  if (!result.untrusted.empty()) label += " untrusted";
  if (!result.implausible.empty()) label += " implausible";
  if (result.verdict != Verdict::ok) label += " " + std::string(name(result.verdict));
  return one_line_utf8(label);
}

void register_samples(const Result& result, benchmark::TimeUnit unit) {
  const auto next = std::make_shared<std::size_t>(0);
  const auto feed = [&result, next](benchmark::State& state) {
    const double ms = result.samples_ms[(*next)++ % result.samples_ms.size()];
    while (state.KeepRunning()) state.SetIterationTime(ms / 1e3);
    for (const auto& [metric, value] : result.metrics) state.counters[metric] = value;
    state.SetLabel(label_of(result).c_str());
  };
  auto* registered = benchmark::RegisterBenchmark(result.id.run_name().c_str(), feed);
  registered->Iterations(1)
      ->Repetitions(static_cast<int>(result.samples_ms.size()))
      ->UseManualTime()
      ->Unit(unit);
}

/// One repetition: Google Benchmark aborts where good and errored ones are mixed.
void register_failure(const Result& result, benchmark::TimeUnit unit) {
  const auto fail = [&result](benchmark::State& state) {
    const std::string text = std::string(name(result.verdict)) + ": " + result.message;
    state.SkipWithError(one_line_utf8(text).c_str());
  };
  auto* registered = benchmark::RegisterBenchmark(result.id.run_name().c_str(), fail);
  registered->Iterations(1)->Repetitions(1)->UseManualTime()->Unit(unit);
}

/// Keeps what Google Benchmark reports.
class Collector : public BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& batch) override {
    runs.insert(runs.end(), batch.begin(), batch.end());
  }
  std::vector<Run> runs;
};

void clean(BenchmarkReporter::Run& run) {
  run.run_name.min_time.clear();
  run.run_name.iterations.clear();
  run.run_name.repetitions.clear();
  run.run_name.time_type.clear();
  run.run_name.threads.clear();
  run.cpu_accumulated_time = run.real_accumulated_time;
  // A metric is one number for the whole result: its spread would be 0, or 0/0, which is not JSON.
  if (run.aggregate_name == "stddev" || run.aggregate_name == "cv") run.counters.clear();
}

/// The counters that a console has room for.
void keep_console_counters(BenchmarkReporter::Run& run) {
  for (auto counter = run.counters.begin(); counter != run.counters.end();) {
    const std::string& metric = counter->first;
    const bool kept = metric == "bandwidth_GBps" || metric == "compute_TFLOPS" ||
                      metric == "peak_pct" || metric == "speedup";
    counter = kept ? std::next(counter) : run.counters.erase(counter);
  }
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
std::unique_ptr<BenchmarkReporter> csv_reporter() {
  return std::make_unique<benchmark::CSVReporter>();
}
#pragma GCC diagnostic pop

}  // namespace

BenchmarkRuns::BenchmarkRuns(const std::vector<Result>& results, const BenchmarkFlags& flags)
    : flags_(flags), families_(results.size()) {
  if (results.empty()) return;
  initialize_library_once(flags);
  benchmark::ClearRegisteredBenchmarks();
  for (const Result& result : results) {
    if (!result.is_measured()) {
      register_failure(result, unit_of(flags.time_unit));
    } else if (!result.samples_ms.empty()) {
      register_samples(result, unit_of(flags.time_unit));
    } else {
      benchmark::ClearRegisteredBenchmarks();
      throw Error(Errc::internal, result.id.run_name() + ": verdict " +
                                      std::string(name(result.verdict)) + " without samples");
    }
  }
  Collector collector;
  benchmark::RunSpecifiedBenchmarks(&collector, nullptr, ".");
  benchmark::ClearRegisteredBenchmarks();

  for (Run& run : collector.runs) {
    clean(run);
    const bool aggregate = run.run_type == Run::RT_Aggregate;
    if (aggregate && !std::isfinite(run.real_accumulated_time)) continue;
    name_width_ = std::max(name_width_, run.benchmark_name().size());
    Family& family = families_.at(static_cast<std::size_t>(run.family_index));
    (aggregate ? family.aggregates : family.repetitions).push_back(run);
  }
}

std::vector<BenchmarkRuns::Runs> BenchmarkRuns::batches(Repetitions repetitions) const {
  std::vector<Runs> batches;
  for (const Family& family : families_) {
    if (repetitions == Repetitions::shown || family.aggregates.empty())
      batches.push_back(family.repetitions);
    if (!family.aggregates.empty()) batches.push_back(family.aggregates);
  }
  return batches;
}

BenchmarkRuns::Text BenchmarkRuns::rendered(const std::string& format, std::vector<Runs> batches,
                                            bool colours) const {
  using benchmark::ConsoleReporter;
  std::unique_ptr<BenchmarkReporter> reporter;
  if (format == "json") {
    reporter = std::make_unique<benchmark::JSONReporter>();
  } else if (format == "csv") {
    reporter = csv_reporter();
    // Its columns are the counters of the first batch, and it aborts on others. It gives the
    // coefficient of variation, a ratio, in the unit of time: left out.
    Runs all;
    for (const Runs& batch : batches) {
      std::copy_if(batch.begin(), batch.end(), std::back_inserter(all),
                   [](const Run& run) { return run.aggregate_name != "cv"; });
    }
    batches = {all};
  } else {
    const int options = (colours ? ConsoleReporter::OO_Color : 0) |
                        (flags_.counters_tabular ? ConsoleReporter::OO_Tabular : 0);
    reporter =
        std::make_unique<ConsoleReporter>(static_cast<ConsoleReporter::OutputOptions>(options));
    for (Runs& batch : batches) std::for_each(batch.begin(), batch.end(), keep_console_counters);
  }
  std::ostringstream out, err;
  out.precision(std::numeric_limits<double>::digits10);
  reporter->SetOutputStream(&out);
  reporter->SetErrorStream(&err);
  BenchmarkReporter::Context context;
  context.name_field_width = name_width_;
  reporter->ReportContext(context);
  for (const Runs& batch : batches) reporter->ReportRuns(batch);
  reporter->Finalize();
  return {out.str(), err.str()};
}

BenchmarkRuns::Text BenchmarkRuns::display(bool colours) const {
  const bool summarized = flags_.report_aggregates_only ||
                          (!flags_.document_on_stdout() && flags_.display_aggregates_only);
  return rendered(flags_.format, batches(summarized ? Repetitions::summarized : Repetitions::shown),
                  colours);
}

std::string BenchmarkRuns::file() const {
  const auto repetitions =
      flags_.report_aggregates_only ? Repetitions::summarized : Repetitions::shown;
  const Text text = rendered(flags_.out_format, batches(repetitions), false);
  return flags_.out_format == "console" ? text.err + text.out : text.out;
}

std::string BenchmarkRuns::json(std::size_t result) const {
  const Family& family = families_.at(result);
  std::vector<Runs> batches = {family.repetitions};
  if (!family.aggregates.empty()) batches.push_back(family.aggregates);
  return rendered("json", batches, false).out;
}

}  // namespace zl
