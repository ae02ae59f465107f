#include "measure/summary.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "measure/statistics.hpp"
#include "zl/error.hpp"

namespace zl {

namespace {

constexpr double us_per_ms = 1e3;

double one_value(const std::vector<double>& samples, ReturnMode mode) {
  switch (mode) {
    case ReturnMode::mean:
      return stats::mean(samples);
    case ReturnMode::min:
      return stats::minimum(samples);
    case ReturnMode::max:
      return stats::maximum(samples);
    case ReturnMode::median:
    case ReturnMode::all:
      return stats::median(samples);
  }
  throw Error(Errc::internal, "one_value: not a return mode");
}

std::string statistic_name(ReturnMode mode) {
  switch (mode) {
    case ReturnMode::mean:
      return "mean";
    case ReturnMode::min:
      return "min";
    case ReturnMode::max:
      return "max";
    case ReturnMode::median:
    case ReturnMode::all:  // the samples are all in the result; one number of them is the median
      return "median";
  }
  throw Error(Errc::internal, "statistic_name: not a return mode");
}

void add_rates(double call_ms, const Case& c, const DeviceInfo& device, Result& result) {
  double peak_pct = 0;
  const double bytes = c.traffic_bytes();
  if (bytes > 0) {
    const double rate = bytes / (call_ms * 1e6);
    result.metrics["bandwidth_GBps"] = rate;
    if (device.peak_bandwidth_GBps) peak_pct = 100 * rate / *device.peak_bandwidth_GBps;
  }
  if (c.declared_flops && *c.declared_flops > 0) {
    const double rate = *c.declared_flops / (call_ms * 1e9);
    result.metrics["compute_TFLOPS"] = rate;
    const auto peak = c.operands.empty() ? std::nullopt : device.peak_TFLOPS(c.operands[0].type);
    if (peak) peak_pct = std::max(peak_pct, 100 * rate / *peak);
  }
  if (peak_pct > 0) result.metrics["peak_pct"] = peak_pct;
}

}  // namespace

std::vector<double> reference_summary(const std::vector<double>& samples_ms,
                                      const std::optional<std::vector<double>>& quantiles,
                                      ReturnMode mode) {
  if (quantiles) {
    std::vector<double> values;
    for (double q : *quantiles) values.push_back(stats::quantile(samples_ms, q));
    return values;
  }
  if (mode == ReturnMode::all) return samples_ms;
  return {one_value(samples_ms, mode)};
}

std::string quantile_metric(double q) {
  // Shortest digits of the percentage; a point is not allowed in a measurement's name.
  char digits[32];
  const auto end = std::to_chars(digits, digits + sizeof digits, std::round(q * 1e8) / 1e6).ptr;
  std::string percent(digits, end);
  std::replace(percent.begin(), percent.end(), '.', '_');
  return "latency_q" + percent + "_us";
}

void summarize(const Timing& timing, const Warmup& warmup, const Case& c, const Options& options,
               const DeviceInfo& device, Result& result) {
  const std::vector<double>& samples = timing.window.samples_ms;
  const ReturnMode mode =
      options.schedule == ScheduleKind::reference ? options.return_mode : ReturnMode::median;
  const double call_ms = one_value(samples, mode);
  if (!std::isfinite(call_ms) || call_ms <= 0) {
    throw Error(Errc::untimeable, "the samples' " + statistic_name(mode) + " is not a time");
  }
  result.statistic = statistic_name(mode);
  result.samples_ms = samples;
  result.n_repeat = timing.n_repeat;
  result.nodes_per_call = timing.nodes_per_call;
  result.load_before_ms = timing.window.load_before_ms;
  result.load_during_ms = timing.window.load_during_ms;
  result.untrusted = timing.untrusted;
  result.notes.insert(result.notes.end(), timing.notes.begin(), timing.notes.end());

  auto& metrics = result.metrics;
  metrics["latency_us"] = call_ms * us_per_ms;
  metrics["min_us"] = stats::minimum(samples) * us_per_ms;
  metrics["samples"] = static_cast<double>(samples.size());
  metrics["n_repeat"] = static_cast<double>(timing.n_repeat);
  metrics["eager_us"] = warmup.eager_ms * us_per_ms;
  metrics["host_enqueue_us"] = warmup.host_enqueue_ms * us_per_ms;
  // With one sample there is no spread to tell; a perf test's tags always have a cv.
  metrics["cv_pct"] = stats::cv_pct(samples).value_or(0);
  if (const auto half_width = stats::median_half_width_pct(samples))
    metrics["ci_pct"] = *half_width;
  if (options.quantiles) {
    const std::vector<double> values = reference_summary(samples, options.quantiles, mode);
    for (std::size_t i = 0; i < values.size(); ++i) {
      metrics[quantile_metric((*options.quantiles)[i])] = values[i] * us_per_ms;
    }
  }
  if (timing.sustained && !timing.sustained->samples_ms.empty()) {
    metrics["sustained_us"] = stats::median(timing.sustained->samples_ms) * us_per_ms;
  }
  add_rates(call_ms, c, device, result);
}

}  // namespace zl
