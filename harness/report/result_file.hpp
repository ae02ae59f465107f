#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "measure/result.hpp"

namespace zl {

/// The result file's content: Google Benchmark's JSON document of the run (what compare.py reads)
/// with a key "zl": the result, the harness's version, the host and the date in UTC (ISO 8601).
/// Errc::internal where `benchmark_json` is not JSON or the result has a number that is not finite.
nlohmann::ordered_json result_document(const Result& result, const std::string& benchmark_json);

/// Makes the directory where it is missing. Errc::usage with the path and errno's text where no
/// file can be made in it, which is to be told before anything is measured.
void prepare_result_directory(const std::string& directory);

/// Writes it to `<directory>/<test_name>.json`, whole or not at all. The directory is made if
/// missing. Errc::usage with the path and errno's text.
void write_result_file(const std::string& directory, const Result& result,
                       const std::string& benchmark_json);

}  // namespace zl
