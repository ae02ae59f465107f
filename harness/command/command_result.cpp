#include "command/command_result.hpp"

#include <cmath>
#include <numeric>

#include "command/case_types.hpp"
#include "measure/quantity.hpp"
#include "measure/summary.hpp"
#include "zl/case.hpp"
#include "zl/error.hpp"

namespace zl {
namespace {

constexpr double us_per_ms = 1e3;

/// What the summary of an op reads of its case: the work of a call, and the types of its operands.
void describe(const CommandMeasurement& measurement, const std::string& types, Case* c) {
  for (const DType type : dtypes_of(types)) c->operands.push_back({Role::in, type, {0}, {}, false});
  c->declared_bytes = measurement.bytes;
  c->declared_flops = measurement.flops;
}

void check_wall_clock(const CommandMeasurement& measurement, double wall_ms) {
  const std::vector<double>& samples = measurement.samples_us;
  const double sum_ms = std::accumulate(samples.begin(), samples.end(), 0.0) / us_per_ms *
                        static_cast<double>(measurement.calls_per_sample);
  if (sum_ms <= wall_ms) return;
  throw Error(Errc::untimeable, "the command's samples add up to " + rounded(sum_ms, "ms") +
                                    ", and it ran for " + rounded(wall_ms, "ms"));
}

/// What a command declares knows no bounds, and a time may be next to nothing.
void check_metrics(const Result& result) {
  for (const auto& [metric, value] : result.metrics) {
    if (std::isfinite(value)) continue;
    throw Error(Errc::usage, "the command's result: the " + metric +
                                 " that its samples_us, bytes and flops come to is no number");
  }
}

}  // namespace

Result command_result(const CaseId& id, const CommandMeasurement& measurement, double wall_ms,
                      const DeviceInfo& device) {
  check_wall_clock(measurement, wall_ms);
  Result result;
  result.verdict = Verdict::ok;
  result.requested_method = "command";
  result.requested_cache = "auto";
  result.method = Method::command;
  result.cache = measurement.cache;
  result.cold_by = measurement.cold_by;
  result.schedule = measurement.method;
  result.verified = measurement.verified ? "by the command" : "no: the command does not say";
  result.implementation = measurement.notes;
  result.clocks_start.unknown = result.clocks_end.unknown = "the command measured";

  Timing timing;
  for (const double us : measurement.samples_us) timing.window.samples_ms.push_back(us / us_per_ms);
  timing.n_repeat = measurement.calls_per_sample;
  Case c{CaseRequest{}};
  describe(measurement, id.types, &c);
  summarize(timing, Warmup{}, c, Options{}, device, result);
  // Those are the warm-up's, and there was none.
  result.metrics.erase("eager_us");
  result.metrics.erase("host_enqueue_us");
  check_metrics(result);
  return result;
}

}  // namespace zl
