#include "gate/baseline.hpp"

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>

#include "report/file_text.hpp"
#include "report/json_input.hpp"
#include "zl/error.hpp"

namespace zl {
namespace {

using Json = nlohmann::json;

constexpr int schema = 1;

[[noreturn]] void refuse_file(const std::string& path, const std::string& what) {
  throw Error(Errc::usage, "baseline " + path + ": " + what +
                               "; ci/baseline.py makes one, docs/baseline.md describes it");
}

Json json_of(const std::string& path) {
  try {
    return json_input(file_text(path));
  } catch (const Error& error) {
    refuse_file(path, error.what());
  }
}

BaselineRun run_from(const Json& json) {
  BaselineRun run;
  json.at("median_us").get_to(run.median_us);
  json.at("method").get_to(run.method);
  json.at("cache").get_to(run.cache);
  json.at("cold_by").get_to(run.cold_by);
  json.at("statistic").get_to(run.statistic);
  json.at("schedule").get_to(run.schedule);
  return run;
}

Baseline baseline_from(const Json& json) {
  Baseline baseline;
  json.at("harness_version").get_to(baseline.harness_version);
  json.at("device").get_to(baseline.device);
  json.at("driver").get_to(baseline.driver);
  json.at("runtime").get_to(baseline.runtime);
  if (json.contains("device_uuid")) json.at("device_uuid").get_to(baseline.device_uuid);
  json.at("expires").get_to(baseline.expires);
  for (const auto& entry : json.at("cases").items()) {
    for (const Json& run : entry.value().at("runs")) {
      baseline.cases[entry.key()].push_back(run_from(run));
    }
  }
  return baseline;
}

/// Why a baseline is not for this result; empty: it is.
std::string mismatch(const Baseline& baseline, const Result& result) {
  const auto unlike = [](const char* what, const std::string& theirs, const std::string& ours) {
    if (theirs == ours) return std::string();
    return std::string(what) + " is '" + theirs + "' there and '" + ours + "' here";
  };
  for (const std::string& text :
       {unlike("device", baseline.device, result.device_name),
        unlike("driver", baseline.driver, result.driver),
        unlike("runtime", baseline.runtime, result.runtime),
        unlike("harness_version", baseline.harness_version, ZL_VERSION)}) {
    if (!text.empty()) return text;
  }
  if (baseline.device_uuid.empty()) return "";
  return unlike("device_uuid", baseline.device_uuid, result.device_uuid);
}

std::vector<std::string> json_files(const std::string& directory) {
  std::vector<std::string> files;
  std::error_code error;
  for (auto entry = std::filesystem::directory_iterator(directory, error);
       !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    if (entry->path().extension() == ".json") files.push_back(entry->path().string());
  }
  if (error) refuse_file(directory, error.message());
  return files;
}

std::variant<Baseline, std::string> find_in_directory(const std::string& path,
                                                      const Result& result) {
  std::optional<Baseline> found;
  std::size_t files = 0;
  for (const std::string& file : json_files(path)) {
    ++files;
    Baseline baseline = read_baseline(file);
    if (!mismatch(baseline, result).empty()) continue;
    if (found && found->device_uuid == baseline.device_uuid)
      refuse_file(path, found->path + " and " + baseline.path +
                            " are for the same device, "
                            "driver, runtime and harness");
    if (!found || found->device_uuid.empty()) found = std::move(baseline);
  }
  if (found) return *found;
  return "none of the " + std::to_string(files) + " files in " + path + " is for " +
         result.device_name + ", driver " + result.driver + ", runtime " + result.runtime +
         ", zl-bench " + ZL_VERSION;
}

}  // namespace

Baseline read_baseline(const std::string& path) {
  const Json json = json_of(path);
  if (!json.is_object() || json.value("schema", Json()) != schema) {
    refuse_file(path, "its schema is not " + std::to_string(schema));
  }
  try {
    Baseline baseline = baseline_from(json);
    for (const auto& [key, runs] : baseline.cases) {
      for (const BaselineRun& run : runs) {
        if (!(run.median_us > 0)) refuse_file(path, "a median_us of " + key + " is not above 0");
      }
    }
    baseline.path = path;
    return baseline;
  } catch (const Json::exception& e) {
    refuse_file(path, e.what());
  }
}

std::string baseline_key(const Result& result) {
  return result.id.test_name() + "/" + result.schedule + "/" + result.requested_cache;
}

std::variant<Baseline, std::string> find_baseline(const std::string& path, const Result& result) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) return find_in_directory(path, result);
  if (!std::filesystem::exists(path, error)) return "there is no file " + path;
  Baseline baseline = read_baseline(path);
  const std::string why = mismatch(baseline, result);
  if (!why.empty()) return why;
  return baseline;
}

}  // namespace zl
