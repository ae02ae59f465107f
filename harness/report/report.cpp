#include "report/report.hpp"

#include <unistd.h>

#include "report/atomic_file.hpp"
#include "report/benchmark_flags.hpp"
#include "report/console.hpp"
#include "report/google_benchmark.hpp"
#include "report/result_file.hpp"
#include "report/samples_csv.hpp"
#include "report/summary.hpp"
#include "report/tags.hpp"

namespace zl {
namespace {

bool table_colours(const BenchmarkFlags& flags) {
  if (flags.color == "auto") return colours_on(STDOUT_FILENO);
  return flags.color == "true" || flags.color == "yes" || flags.color == "1";
}

}  // namespace

void prepare_report(const ReportOptions& options) {
  if (!options.result_dir.empty()) prepare_result_directory(options.result_dir);
}

void report(const std::vector<Result>& results, const ReportOptions& options) {
  const BenchmarkFlags flags = validate_benchmark_flags(options.benchmark_args);
  const BenchmarkRuns runs(results, flags);

  if (!options.result_dir.empty()) {
    for (std::size_t i = 0; i < results.size(); ++i)
      write_result_file(options.result_dir, results[i], runs.json(i));
  }
  if (!options.samples.empty()) write_file(options.samples, samples_csv(results.front()));
  if (!flags.out.empty()) write_file(flags.out, runs.file());

  const BenchmarkRuns::Text text = runs.display(table_colours(flags));
  write_all(STDERR_FILENO, text.err);
  write_all(STDOUT_FILENO, text.out);

  const int beside = flags.document_on_stdout() ? STDERR_FILENO : STDOUT_FILENO;
  for (const Result& result : results)
    write_all(beside, summary_line(result, colours_on(beside)) + "\n");
  if (!options.tags) return;
  for (const Result& result : results) print_tags(beside, result);
}

void report_profiled(const std::vector<Result>& results, int text_fd) {
  for (const Result& result : results) {
    const std::string line = result.verdict == Verdict::ok
                                 ? result.id.run_name() + ": " + result.message
                                 : summary_line(result, colours_on(text_fd));
    write_all(text_fd, line + "\n");
  }
}

}  // namespace zl
