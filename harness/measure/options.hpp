#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace zl {

enum class MethodChoice : std::uint8_t { automatic, graph, direct };
enum class CacheChoice : std::uint8_t { automatic, cold, warm, mixed };
enum class ScheduleKind : std::uint8_t { adaptive, reference };
enum class SustainedChoice : std::uint8_t { automatic, on, off };
enum class ReturnMode : std::uint8_t { mean, median, min, max, all };

constexpr std::string_view name(MethodChoice choice) {
  constexpr std::string_view names[] = {"auto", "graph", "direct"};
  return names[static_cast<int>(choice)];
}
constexpr std::string_view name(CacheChoice choice) {
  constexpr std::string_view names[] = {"auto", "cold", "warm", "mixed"};
  return names[static_cast<int>(choice)];
}

/// How to measure; everything that flags and CMake can say about one case.
struct Options {
  MethodChoice method = MethodChoice::automatic;
  CacheChoice cache = CacheChoice::automatic;
  ScheduleKind schedule = ScheduleKind::adaptive;
  SustainedChoice sustained = SustainedChoice::automatic;
  double warmup_ms = 25;
  int warmup_cap = 200;  ///< most calls of the timed warm-up
  double rep_ms = 100;   ///< reference schedule: length of a replay
  std::optional<std::vector<double>> quantiles;
  ReturnMode return_mode = ReturnMode::mean;  ///< reference schedule
  std::uint64_t seed = 0;
  int cold_factor = 4;          ///< a rotation goes through this many times the L2
  bool deny_capture = false;    ///< the backend is in the op's DENY_CAPTURE
  bool capture_enabled = true;  ///< false: ZL_ENABLE_CUDAGRAPH=0, or the run after a poisoned one
  std::string versus;           ///< implementation to compare with; empty: none
  bool cross_check = false;     ///< --zl_verify=cupti
  bool profile = false;         ///< one call for a profiler, and no number
  std::string dump_graph;       ///< file for the timed graph; empty: none
  bool keep_sustained = false;  ///< the samples of the sustained window are in the result too
  bool strict = false;          ///< an implausible latency is a failure
  bool require_device = false;  ///< ZL_REQUIRE_DEVICE=1
  std::string marker_op;        ///< FLAGGEMS_PERF_CURRENT_OP; empty: the case's op
  std::vector<std::string> untrusted_build;  ///< why no time of this executable is to be relied on
  std::vector<std::string> known_impls;      ///< that CMake names; empty: it was not asked
};

}  // namespace zl
