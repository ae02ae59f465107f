#pragma once

#include "measure/timing.hpp"
#include "measure/warmup.hpp"

namespace zl {

/// Numbers of a list of samples, ms, as the reference schedule returns them: `quantiles`, where
/// given, one value each; else what `mode` says (one value, or all in the order measured).
std::vector<double> reference_summary(const std::vector<double>& samples_ms,
                                      const std::optional<std::vector<double>>& quantiles,
                                      ReturnMode mode);

/// Fills a result's samples, windows and metrics.
void summarize(const Timing& timing, const Warmup& warmup, const Case& c, const Options& options,
               const DeviceInfo& device, Result& result);

/// The device's peak for the types that a case reads, the highest of them; absent where not known.
std::optional<double> arithmetic_peak_TFLOPS(const Case& c, const DeviceInfo& device);

/// "latency_q20_us" for 0.2.
std::string quantile_metric(double q);

}  // namespace zl
