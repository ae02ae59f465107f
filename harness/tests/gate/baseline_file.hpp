#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "gate/baseline.hpp"
#include "measure/result.hpp"

namespace zl::test {

/// A clean result of `us` on device "Fake".
inline Result result_of(double us) {
  Result r;
  r.id = {"mm", "own", "e4m3:bf16", "16x4096x7168", "cuda"};
  r.verdict = Verdict::ok;
  r.requested_cache = "auto";
  r.requested_method = "auto";
  r.method = Method::graph;
  r.cache = Cache::cold;
  r.cold_by = "rotation";
  r.schedule = "adaptive";
  r.statistic = "median";
  r.metrics = {{"latency_us", us}};
  r.samples_ms = {us / 1000};
  r.device_name = "Fake";
  r.driver = "1.2";
  r.runtime = "3.4";
  return r;
}

/// A run as ci/baseline.py writes it, of what `result` obtained.
inline nlohmann::json run_of(const Result& result) {
  return {{"median_us", result.metrics.at("latency_us")},
          {"method", name(result.method)},
          {"cache", name(result.cache)},
          {"cold_by", result.cold_by},
          {"statistic", result.statistic},
          {"schedule", result.schedule},
          {"date", "2026-11-30T05:00:00Z"}};
}

/// A folder with one baseline file, of the device, driver and runtime of result_of().
class BaselineFile {
 public:
  BaselineFile() {
    std::string name = testing::TempDir() + "/zl-baseline-XXXXXX";
    folder_ = ::mkdtemp(name.data());
    json = {{"schema", 1},
            {"harness_version", ZL_TEST_VERSION},
            {"device", "Fake"},
            {"driver", "1.2"},
            {"runtime", "3.4"},
            {"made", "2026-11-30T12:00:00Z"},
            {"expires", "2027-02-28"},
            {"cases", nlohmann::json::object()}};
  }
  ~BaselineFile() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  BaselineFile(const BaselineFile&) = delete;
  BaselineFile& operator=(const BaselineFile&) = delete;

  void add(const Result& result) {
    nlohmann::json& one = json["cases"][baseline_key(result)];
    one["accepted"] = nullptr;
    one["runs"].push_back(run_of(result));
  }
  void add_medians(const std::vector<double>& medians) {
    for (const double us : medians) add(result_of(us));
  }
  std::string write(const std::string& name = "baseline.json") const {
    return write_text(json.dump(), name);
  }
  std::string write_text(const std::string& text, const std::string& name = "baseline.json") const {
    std::ofstream(folder_ + "/" + name) << text;
    return folder_ + "/" + name;
  }
  const std::string& folder() const { return folder_; }

  nlohmann::json json;

 private:
  std::string folder_;
};

}  // namespace zl::test
