#include "measure/measure.hpp"

#include <algorithm>

#include "measure/capture.hpp"
#include "measure/cross_check.hpp"
#include "measure/direct.hpp"
#include "measure/graph_dump.hpp"
#include "measure/graph_timing.hpp"
#include "measure/prepare.hpp"
#include "measure/profile.hpp"
#include "measure/statistics.hpp"
#include "measure/summary.hpp"
#include "measure/versus.hpp"

namespace zl {

namespace {

constexpr const char* no_graph_marker = "BENCHMARK_DIRECT_NO_CUDAGRAPH";

/// Remembers the phase for the verdict and passes everything on.
class PhaseLog : public Progress {
 public:
  PhaseLog(Device& device, Progress& to) : device_(device), to_(to) {}
  void phase(Phase phase) override {
    current = phase;
    device_.mark(name(phase));
    to_.phase(phase);
  }
  void alive() override { to_.alive(); }
  void marker(std::string_view marker, const Failure& failure) override {
    to_.marker(marker, failure);
  }
  void notice(const std::string& line) override { to_.notice(line); }
  void graph(const std::string& dot) override { to_.graph(dot); }
  void complete(const Result& result) override { to_.complete(result); }

  Phase current = Phase::gate;

 private:
  Device& device_;
  Progress& to_;
};

/// Whether a capture may be attempted, and if not why; fills the result's capture fields.
bool may_capture(Device& device, const Options& options, PhaseLog& progress, Result& result) {
  progress.phase(Phase::gate);
  result.capture = Capture::off;
  if (options.method == MethodChoice::direct) {
    result.capture_reason = "METHOD direct";
    return false;
  }
  if (!options.capture_enabled) {
    result.capture_reason = "ZL_ENABLE_CUDAGRAPH=0";
    return false;
  }
  std::string unsupported;
  try {
    if (!device.supports_graph_capture()) unsupported = "the backend does not capture graphs";
  } catch (const Error& e) {
    unsupported = e.what();
    device.clear_last_error();
  }
  if (!unsupported.empty()) {
    progress.notice("zl-bench: no graph timing on " + device.info().backend + ": " + unsupported);
    result.capture = Capture::unsupported;
    result.capture_reason = "gate:" + unsupported;
    return false;
  }
  if (options.deny_capture) {
    progress.phase(Phase::denylist);
    const Failure denied{Phase::denylist, "KnownPoisoningOp",
                         device.info().backend + " denies capture for this op"};
    progress.marker(no_graph_marker, denied);
    result.capture = Capture::denied;
    result.capture_reason = "denylist:KnownPoisoningOp";
    result.failure = denied;
    return false;
  }
  return true;
}

/// The timing by graph or, where there is none, directly. Empty: a verdict was reached without
/// one, and the result holds it.
std::optional<Timing> time_case(Prepared& p, const Verified& verified, const Warmup& warmup,
                                const Options& options, bool capture, PhaseLog& progress,
                                Result& result) {
  EventStream events = EventStream::own;
  std::int64_t persisting_bytes = 0;
  if (capture) {
    auto outcome = time_with_graph(p.device, p.calls, verified, warmup, options, p.rotation,
                                   p.stream.get(), progress);
    if (auto* timing = std::get_if<Timing>(&outcome)) {
      result.method = Method::graph;
      result.capture = Capture::clean;
      result.capture_reason.clear();
      return std::move(*timing);
    }
    const auto& failed = std::get<GraphFailure>(outcome);
    persisting_bytes = failed.persisting_bytes;
    result.capture = Capture::fallback;
    result.failure = failed.failure;
    result.capture_reason = std::string(name(failed.failure.phase)) + ":" + failed.failure.reason;
    if (failed.context_dead) {
      result.context_dead = true;
      result.verdict = Verdict::kernel_failed;
      result.message = "the device's context died in " + std::string(name(failed.failure.phase)) +
                       ": " + failed.failure.reason + ": " + failed.failure.detail;
      return std::nullopt;
    }
    if (options.method == MethodChoice::graph) {
      result.verdict = Verdict::no_graph;
      result.message = "METHOD graph, and the graph failed in " +
                       std::string(name(failed.failure.phase)) + ": " + failed.failure.reason +
                       ": " + failed.failure.detail;
      return std::nullopt;
    }
    progress.marker(no_graph_marker, failed.failure);
    if (failed.failure.reason == "NothingCaptured") events = EventStream::legacy_default;
  }
  progress.phase(Phase::direct);
  result.method = Method::direct;
  Timing timing =
      time_directly(p.device, p.calls, warmup, options, p.rotation, events, p.stream.get());
  // What the attempt saw of the kernels is as true here.
  if (persisting_bytes > 0 && !timing.cold_by.empty()) {
    timing.cold_by.clear();
    timing.cache_note = kept_in_cache(persisting_bytes);
  }
  return timing;
}

/// The speedup against VERSUS, after the case's own result is complete.
void compare_with_versus(Prepared& p, const Options& options, const Timing& timing,
                         PhaseLog& progress, Result& result) {
  if (options.versus.empty() || options.versus == result.id.impl) return;
  if (result.method != Method::graph) {
    result.speedup_reason = "methods differ: this result is direct";
    return;
  }
  progress.complete(result);
  try {
    const Implementation& other = find_implementation(p.definition, options.versus);
    Calls other_calls(p.device, p.definition, other, p.buffers);
    if (p.calls.evicting() && !other_calls.evict_before_calls()) {
      result.speedup_reason = options.versus + ": no memory to sweep the cache";
      return;
    }
    progress.phase(Phase::verify);
    const Verified verified(p.device, other_calls, p.stream.get(), progress);
    if (!verified.wrong().empty()) {
      result.speedup_reason = options.versus + " is wrong: " + verified.wrong();
      return;
    }
    p.buffers.restore_all_in_place(p.stream.get());
    result.metrics["speedup"] =
        interleaved_speedup(p.device, p.calls, timing.overlap, other_calls, verified,
                            result.n_repeat, p.stream.get(), progress);
  } catch (const Error& e) {
    result.speedup_reason = options.versus + ": " + e.what();
  }
}

/// The last of all, because a profiler slows what the process runs after it.
void check_against_profiler(Prepared& p, const Timing& timing, PhaseLog& progress, Result& result) {
  const auto leave_out = [&result](const std::string& why) {
    result.notes.push_back("no cross-check: " + why);
    result.message = result.notes.back();
  };
  if (result.method != Method::graph) return leave_out("it is of replays, and this is direct");
  if (p.calls.need_preparation()) return leave_out("the calls are prepared by resets or sweeps");
  progress.complete(result);
  try {
    progress.phase(Phase::replay);
    p.buffers.restore_all_in_place(p.stream.get());
    TimedGraph graph(
        p.device,
        capture_calls(p.device, p.calls, timing.n_repeat, Content::prepared_calls, timing.overlap),
        timing.n_repeat);
    const CrossCheckOutcome outcome =
        cross_check(p.device, graph, timing.nodes_per_call, stats::median(timing.window.samples_ms),
                    p.stream.get());
    result.cross_check = outcome.check;
    if (!outcome.check) leave_out(outcome.why_not);
  } catch (const Error& e) {
    leave_out(e.what());
  }
}

void run(Device& device, const Op& op, const Options& options, PhaseLog& progress, Result& result) {
  const bool capture = may_capture(device, options, progress, result);
  if (!capture) GraphDump(device, options.dump_graph, progress).explain(result.capture_reason);
  if (!capture && options.method == MethodChoice::graph) {
    result.verdict = Verdict::no_graph;
    result.message = "METHOD graph, and no capture may be attempted: " + result.capture_reason;
    return;
  }
  progress.phase(Phase::sync);
  Prepared p(device, op, result.id, options);
  const std::string untested = without_tests(p.definition, options.known_impls);
  if (!untested.empty()) progress.notice("zl-bench: " + untested);
  result.cache_note = p.rotation.why_not;
  if (p.rotation.cache == Cache::warm && p.rotation.sweepable) p.calls.evict_before_calls();
  result.clocks_start = device.clocks();

  progress.phase(Phase::verify);
  const Verified verified(device, p.calls, p.stream.get(), progress);
  result.verified = verified.extent();
  if (!verified.wrong().empty()) {
    result.verdict = Verdict::wrong_result;
    result.message = verified.wrong();
    return;
  }
  progress.phase(Phase::warmup);
  const double measured_from_ms = device.wall_ms();
  const Warmup warmup = warm_up(device, p.calls, options, p.stream.get());
  if (options.profile) {
    progress.phase(Phase::direct);
    return profile_one_call(p, result);
  }

  const std::optional<Timing> timing =
      time_case(p, verified, warmup, options, capture, progress, result);
  result.implementation = p.calls.notes();
  result.measured_ms = device.wall_ms() - measured_from_ms;
  result.clocks_end = timing ? timing->clocks : device.clocks();
  if (!timing) return;

  result.cold_by = timing->cold_by;
  result.cache = timing->cold_by.empty()         ? Cache::warm
                 : timing->cold_by == "rotation" ? p.rotation.cache
                                                 : Cache::cold;
  if (result.cold_by.empty() && !timing->cache_note.empty()) {
    result.cache_note = timing->cache_note;
  } else if (result.cold_by == "evict") {
    if (!result.cache_note.empty()) result.notes.push_back("evict: " + result.cache_note);
    result.cache_note.clear();
  }
  result.copies = static_cast<int>(p.buffers.copies());
  summarize(*timing, warmup, p.definition, options, device.info(), result);
  if (options.strict && !result.implausible.empty()) {
    throw Error(Errc::untimeable, "implausible: " + result.implausible);
  }
  result.verdict = Verdict::ok;
  compare_with_versus(p, options, *timing, progress, result);
  if (options.cross_check) check_against_profiler(p, *timing, progress, result);
}

/// The verdict of an error that ended the measurement in `phase`.
void conclude(const Error& e, Phase phase, Result& result) {
  const std::string where = "in " + std::string(name(phase)) + ": " + e.what();
  result.message = where;
  result.metrics.clear();
  result.samples_ms.clear();
  result.sustained_samples_ms.clear();
  switch (e.errc) {
    case Errc::usage:
      result.verdict = Verdict::usage;
      result.message = e.what();
      return;
    case Errc::no_device:
    case Errc::out_of_memory:
      result.verdict = Verdict::skipped;
      break;
    case Errc::untimeable:
      result.verdict = Verdict::untimeable;
      break;
    case Errc::capture_rule:
    case Errc::sticky:
    case Errc::device:
      result.verdict = Verdict::kernel_failed;
      break;
    case Errc::internal:
      result.verdict = Verdict::internal;
      break;
  }
  result.failure = {phase, e.name.empty() ? "Error" : e.name,
                    e.call.empty() ? e.what() : e.call + ": " + e.text};
}

}  // namespace

Result measure(Device& device, const Op& op, const CaseId& id, const Options& options,
               Progress& progress) {
  Result result;
  result.id = id;
  result.schedule = options.schedule == ScheduleKind::reference ? "reference" : "adaptive";
  result.requested_method = name(options.method);
  result.requested_cache = name(options.cache);
  result.device_name = device.info().identity.name;
  result.device_uuid = device.info().identity.uuid;
  result.driver = device.info().driver;
  result.runtime = device.info().runtime;
  PhaseLog phases(device, progress);
  try {
    run(device, op, options, phases, result);
  } catch (const Error& e) {
    conclude(e, phases.current, result);
  } catch (const std::exception& e) {
    conclude(Error(Errc::internal, e.what()), phases.current, result);
  }
  return result;
}

}  // namespace zl
