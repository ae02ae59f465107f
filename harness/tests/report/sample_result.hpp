#pragma once

#include <string>

#include "measure/result.hpp"

namespace zl::test {

/// A clean measurement of four samples, median 12.5 us.
inline Result sample_result(const std::string& impl = "own") {
  Result r;
  r.id = {"mm", impl, "e4m3:bf16", "16x4096x7168", "host"};
  r.verdict = Verdict::ok;
  r.method = Method::graph;
  r.cache = Cache::cold;
  r.cold_by = "rotation";
  r.capture = Capture::clean;
  r.schedule = "adaptive";
  r.statistic = "median";
  r.n_repeat = 128;
  r.samples_ms = {0.012, 0.013, 0.0125, 0.0125};
  r.metrics = {{"latency_us", 12.5},      {"cv_pct", 0},     {"ci_pct", 0.25}, {"min_us", 12},
               {"bandwidth_GBps", 987.5}, {"peak_pct", 20.5}};
  r.device_name = "Host CPU";
  return r;
}

inline Result failed_result(const std::string& impl = "lt") {
  Result r;
  r.id = {"mm", impl, "e4m3:bf16", "16x4096x7168", "host"};
  r.verdict = Verdict::kernel_failed;
  r.message = "cudaLaunchKernel: cudaErrorIllegalAddress (700)\n in verify";
  r.device_name = "Host CPU";
  return r;
}

}  // namespace zl::test
