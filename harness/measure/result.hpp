#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "device/device.hpp"

namespace zl {

enum class Method : std::uint8_t {
  graph,
  direct,
  command  ///< by the means of a command of the user (docs/commands.md)
};
enum class Cache : std::uint8_t { cold, warm, mixed };
enum class Capture : std::uint8_t { clean, fallback, denied, off, unsupported };
enum class Phase : std::uint8_t {
  gate,
  denylist,
  sync,
  warmup,
  verify,
  capture,
  instantiate,
  replay,
  direct,
  command  ///< a command of the user runs
};
enum class Verdict : std::uint8_t {
  ok,
  wrong_result,
  kernel_failed,
  capture_poisoned,
  hung,
  crashed,
  untimeable,
  skipped,
  busy,
  no_graph,    ///< METHOD graph was asked for and the capture failed
  usage,       ///< the case itself is malformed, as a shape that its definition refuses
  changed,     ///< measured otherwise than in every run of the baseline: another method or cache
  regression,  ///< measured, and slower than the baseline allows, three times
  internal,
};

std::string_view name(Method);
std::string_view name(Cache);
std::string_view name(Capture);
std::string_view name(Phase);
std::string_view name(Verdict);

/// All exit codes of a zl executable.
enum class Exit : int {
  ok = 0,
  usage = 2,
  wrong_result = 3,
  kernel_failed = 4,
  capture_poisoned = 5,
  hung = 6,
  regression = 7,
  crashed = 8,
  untimeable = 9,
  busy = 10,
  no_graph = 11,
  internal = 70,
  skipped = 77,
};
Exit exit_code(Verdict verdict);

/// Which case: one CTest.
struct CaseId {
  std::string op;
  std::string impl;
  std::string types;  ///< "e4m3:e4m3:bf16"
  std::string shape;  ///< "16x4096x7168"
  std::string backend;
  /// "mm/own/e4m3-e4m3-bf16/16x4096x7168": the Google Benchmark run and --benchmark_filter.
  std::string run_name() const;
  /// "perf.cuda.mm.own.e4m3-e4m3-bf16.16x4096x7168": the CTest and the result file.
  std::string test_name() const;
};

/// What went wrong, where; the fields of a marker.
struct Failure {
  Phase phase = Phase::gate;
  std::string reason;  ///< vendor's error name, or ours: NothingCaptured, ReplayMismatch, ...
  std::string detail;  ///< "<call>: <text>"
};

/// The timed graph once more, under the vendor's profiler; times of one call, means over replays.
struct CrossCheck {
  double replay_us = 0;     ///< by the events around the very replays that were traced
  double span_us = 0;       ///< from the start of a call's first operation to the end of its last
  double busy_us = 0;       ///< time with at least one of its operations running
  double gap_us = 0;        ///< from the end of a call to the start of the next
  double slowdown_pct = 0;  ///< of the traced replays against those before
};

/// What the comparison with a baseline came to.
struct Gate {
  enum class Outcome : std::uint8_t {
    passed,
    no_baseline,  ///< nothing to compare with
    too_noisy,    ///< the baseline's runs spread too far to tell
    untrusted,    ///< slower, but by a number not to rely on
    changed,
    regression
  };
  Outcome outcome = Outcome::no_baseline;
  std::string reason;         ///< empty where passed at once
  double baseline_us = 0;     ///< median of the baseline's runs; 0: not compared
  double limit_us = 0;        ///< a latency above it is suspect
  std::int64_t runs = 0;      ///< of the baseline, of the same kind
  std::vector<double> tried;  ///< latencies in us: the first, then those of fresh processes
};
std::string_view name(Gate::Outcome);

/// Everything that one run of a case found out.
struct Result {
  CaseId id;
  std::map<std::string, std::string> columns;  ///< extra columns of CASES
  Verdict verdict = Verdict::internal;
  std::string message;             ///< for a person: why, and what to do about it
  std::optional<Failure> failure;  ///< of the capture where it fell back, else of the verdict
  /// The context died under a capture or replay: the supervisor runs the case again without one.
  bool context_dead = false;

  std::string requested_method;  ///< by flag or CMake: "auto", "graph", "direct"
  std::string requested_cache;   ///< "auto", "cold", "warm", "mixed"
  Method method = Method::direct;
  Cache cache = Cache::warm;
  std::string cold_by;     ///< "rotation", "evict", "flush"; empty where warm
  std::string cache_note;  ///< why a cold cache that was asked for was not reached
  int copies = 1;          ///< of the rotated operands
  Capture capture = Capture::off;
  std::string capture_reason;  ///< "<phase>:<reason>" where not clean
  std::string schedule;        ///< "adaptive", "reference"
  std::string statistic;       ///< of latency_us: "median", "mean", ...
  std::string verified;        ///< "all rows", "12 of 4096 rows", "replay-only"
  std::int64_t n_repeat = 0;
  std::int64_t nodes_per_call = 0;
  std::vector<double> samples_ms;            ///< in the order measured
  std::vector<double> sustained_samples_ms;  ///< only where they are asked for
  double load_before_ms = 0;                 ///< of continuous load before the first sample
  double load_during_ms = 0;
  double measured_ms = 0;  ///< wall time from the warm-up to the last sample
  double wall_s =
      0;  ///< of all processes of the case, without waiting for the device; 0: not known
  std::vector<std::string> untrusted;  ///< why not to rely on the latency; empty: nothing known
  std::string implausible;             ///< why the latency cannot be; empty: it can
  std::optional<CrossCheck> cross_check;
  std::optional<Gate> gate;        ///< where a baseline was given
  std::vector<std::string> notes;  ///< departures from the schedule, each as it bit
  std::map<std::string, std::string> implementation;  ///< what the implementation noted

  /// The numbers, by tag name: latency_us, cv_pct, ... Only what was measured is in it.
  std::map<std::string, double> metrics;
  std::string speedup_reason;  ///< why there is no speedup though VERSUS was given

  std::string device_name, device_uuid, driver, runtime;
  ClockState clocks_start, clocks_end;

  /// Its numbers are true, whether or not they are welcome.
  bool is_measured() const {
    return verdict == Verdict::ok || verdict == Verdict::changed || verdict == Verdict::regression;
  }
  bool has_latency() const { return metrics.contains("latency_us"); }
  /// The device only poses as one of its vendor's (docs/musa.md): nothing to compare with.
  bool on_stand_in() const { return device_name.find("stand-in") != std::string::npos; }
};

/// What the measurement tells while it runs.
class Progress {
 public:
  virtual ~Progress() = default;
  virtual void phase(Phase phase) = 0;
  /// A long step that moves on: the phase's time limit starts anew.
  virtual void alive() = 0;
  /// A line for stdout, flushed: a marker.
  virtual void marker(std::string_view marker, const Failure& failure) = 0;
  /// A line for stderr.
  virtual void notice(const std::string& line) = 0;
  /// A captured graph in the DOT language, for the file of --zl_dump_graph in place of what it
  /// holds. Errc::usage where that cannot be written.
  virtual void graph(const std::string& dot) { static_cast<void>(dot); }
  /// The result so far is complete and only extras follow (the comparison with VERSUS).
  virtual void complete(const Result& result) = 0;
};

}  // namespace zl
