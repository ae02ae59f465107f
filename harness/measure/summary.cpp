#include "measure/summary.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>

#include "measure/quantity.hpp"
#include "measure/statistics.hpp"
#include "zl/error.hpp"

namespace zl {

namespace {

constexpr double us_per_ms = 1e3;
constexpr double implausible_excess = 1.05;
constexpr double tf32_per_f32 = 8;
// Ten replays on an undisturbed H200 spread by 0.05 to 0.3 %; a process that merely creates
// contexts beside them makes it 5 %.
constexpr double unsteady_pct = 3;
// A CPU is never as quiet; a burst there ends at 1 % of half-width, if it gets that far.
constexpr double unsteady_host_pct = 10;

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

/// Of a call's traffic what has to come from, or go to, the device's memory: warm operands need
/// not.
double memory_bytes(const Case& c, Cache cache) {
  if (cache == Cache::warm) return 0;
  double bytes = c.traffic_bytes();
  for (const OperandSpec& operand : c.operands) {
    if (cache != Cache::mixed || !operand.warm || operand.role == Role::scratch) continue;
    bytes -= static_cast<double>(operand.bytes()) * (operand.role == Role::inout ? 2 : 1);
  }
  return std::max(bytes, 0.0);
}

void add_rates(double call_ms, const Case& c, const DeviceInfo& device, Result& result) {
  double peak_pct = 0;
  const double bytes = c.traffic_bytes();
  if (bytes > 0) {
    const double rate = bytes / (call_ms * 1e6);
    result.metrics["bandwidth_GBps"] = rate;
    const double from_memory = memory_bytes(c, result.cache);
    if (device.peak_bandwidth_GBps) {
      peak_pct = 100 * from_memory / (call_ms * 1e6) / *device.peak_bandwidth_GBps;
    }
  }
  if (c.declared_flops && *c.declared_flops > 0) {
    const double rate = *c.declared_flops / (call_ms * 1e9);
    result.metrics["compute_TFLOPS"] = rate;
    const auto peak = arithmetic_peak_TFLOPS(c, device);
    // Above it are f32 products that run as TF32, of whose peak the share is not given.
    if (peak && rate <= *peak) peak_pct = std::max(peak_pct, 100 * rate / *peak);
  }
  if (peak_pct > 0) result.metrics["peak_pct"] = peak_pct;
}

bool is_read(const OperandSpec& operand) {
  return operand.role == Role::in || operand.role == Role::inout;
}

/// What no arithmetic of the device exceeds: f32 products may run as TF32 on tensor cores.
std::optional<double> ceiling_TFLOPS(const Case& c, const DeviceInfo& device) {
  std::optional<double> highest;
  for (const OperandSpec& operand : c.operands) {
    if (!is_read(operand)) continue;
    const double scale = operand.type == DType::f32 ? tf32_per_f32 : 1;
    const std::optional<double> peak = device.peak_TFLOPS(operand.type);
    if (peak) highest = std::max(highest.value_or(0), scale * *peak);
  }
  return highest;
}

/// Peaks are those of the highest clocks, so that nothing true exceeds them.
std::string why_implausible(double call_ms, const Case& c, const DeviceInfo& device,
                            const Result& result) {
  const double bytes = c.traffic_bytes();
  // Warm operands need not come from memory.
  if (result.cache == Cache::cold && device.peak_bandwidth_GBps && bytes > 0) {
    const double rate = bytes / (call_ms * 1e6);
    if (rate > implausible_excess * *device.peak_bandwidth_GBps) {
      return rounded(rate, "GB/s") + " cold, and the device's memory has at most " +
             rounded(*device.peak_bandwidth_GBps, "GB/s") +
             ": the case declares more bytes than a call moves, or the operands are not cold";
    }
  }
  const std::optional<double> most = ceiling_TFLOPS(c, device);
  if (!most || !c.declared_flops) return "";
  const double rate = *c.declared_flops / (call_ms * 1e9);
  if (rate <= implausible_excess * *most) return "";
  return rounded(rate, "TFLOP/s") + ", and the device has at most " + rounded(*most, "TFLOP/s") +
         ": the case declares more flops than a call computes";
}

/// What makes the latency one that would not repeat.
void judge_spread(const Timing& timing, const DeviceInfo& device, Result& result) {
  const int processes = std::max(result.clocks_start.processes, timing.clocks.processes);
  if (processes > 1) {
    // Devices share their time evenly enough that the samples need not show it.
    result.untrusted.push_back(std::to_string(processes - 1) +
                               " other process on the device: its work may be in the time");
  }
  // Single calls between events jitter by nature, and so does a CPU: there it is the median that
  // must be known. Of the few samples of a long call on a CPU there is only the spread.
  const bool by_median =
      device.is_gpu ? result.method != Method::graph : result.metrics.contains("ci_pct");
  const char* spread = by_median ? "ci_pct" : "cv_pct";
  const auto found = result.metrics.find(spread);
  const double most = device.is_gpu ? unsteady_pct : unsteady_host_pct;
  if (found != result.metrics.end() && found->second > most) {
    result.untrusted.push_back("unsteady: " + std::string(spread) + " is " +
                               rounded(found->second, "%"));
  }
}

}  // namespace

std::optional<double> arithmetic_peak_TFLOPS(const Case& c, const DeviceInfo& device) {
  std::optional<double> highest;
  for (const OperandSpec& operand : c.operands) {
    if (!is_read(operand)) continue;
    const std::optional<double> peak = device.peak_TFLOPS(operand.type);
    if (peak && (!highest || *peak > *highest)) highest = peak;
  }
  return highest;
}

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
  result.untrusted = options.untrusted_build;
  result.untrusted.insert(result.untrusted.end(), timing.untrusted.begin(), timing.untrusted.end());
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
    if (options.keep_sustained) result.sustained_samples_ms = timing.sustained->samples_ms;
    metrics["sustained_us"] = stats::median(timing.sustained->samples_ms) * us_per_ms;
  }
  add_rates(call_ms, c, device, result);
  judge_spread(timing, device, result);
  result.implausible = why_implausible(call_ms, c, device, result);
}

}  // namespace zl
