#pragma once

#include <map>
#include <string>
#include <variant>
#include <vector>

#include "measure/result.hpp"

namespace zl {

/// What one run obtained.
struct BaselineRun {
  double median_us = 0;
  std::string method, cache, cold_by, statistic, schedule;
};

/// A baseline file, as docs/baseline.md describes it.
struct Baseline {
  std::string path;
  std::string harness_version, device, driver, runtime;
  std::string device_uuid;  ///< of the only card that it is for; empty: for all of the model
  std::string expires;      ///< last day of its use, "2027-02-28"
  std::map<std::string, std::vector<BaselineRun>> cases;
};

/// Errc::usage where it is no such file, naming it and what is wrong.
Baseline read_baseline(const std::string& path);

/// The key of a case in a baseline: what was requested.
std::string baseline_key(const Result& result);

/// The baseline that `path` holds for a result's device, driver, runtime and harness: the file, or
/// the one file of a directory, before others one of the card. Else why there is none. Two files
/// that match are Errc::usage.
std::variant<Baseline, std::string> find_baseline(const std::string& path, const Result& result);

}  // namespace zl
