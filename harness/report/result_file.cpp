#include "report/result_file.hpp"

#include <array>
#include <ctime>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>

#include "report/atomic_file.hpp"
#include "report/host_name.hpp"
#include "report/result_json.hpp"
#include "zl/error.hpp"

namespace zl {
namespace {

std::string utc_date() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text.data();
}

}  // namespace

nlohmann::ordered_json result_document(const Result& result, const std::string& benchmark_json) {
  nlohmann::ordered_json document =
      nlohmann::ordered_json::parse(benchmark_json, nullptr, /*allow_exceptions=*/false);
  if (!document.is_object())
    throw Error(Errc::internal, result.id.run_name() + ": Google Benchmark's document is not JSON");
  document["zl"] = {{"harness_version", ZL_VERSION},
                    {"hostname", host_name()},
                    {"date", utc_date()},
                    {"result", nlohmann::ordered_json(to_json(result))}};
  return document;
}

void prepare_result_directory(const std::string& directory) {
  try {
    make_directories(directory);
    try_to_make_file_in(directory);
  } catch (const Error& error) {
    throw Error(Errc::usage, "--zl_result_dir=" + directory + ": " + error.what());
  }
}

void write_result_file(const std::string& directory, const Result& result,
                       const std::string& benchmark_json) {
  const std::string content = result_document(result, benchmark_json).dump(2) + "\n";
  const std::string file = result.id.test_name() + ".json";
  if (file.find('/') != std::string::npos)
    throw Error(Errc::usage, "a result file cannot be named " + file);
  make_directories(directory);
  write_file((std::filesystem::path(directory) / file).string(), content);
}

}  // namespace zl
