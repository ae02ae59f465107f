#include "measure/graph_timing.hpp"

#include <algorithm>

#include "measure/capture.hpp"
#include "measure/statistics.hpp"
#include "measure/timed_graph.hpp"
#include "measure/timer_check.hpp"

namespace zl {

namespace {

constexpr int reference_replays = 10;
constexpr int reference_estimate_calls = 5;
constexpr std::int64_t probe_calls = 20;
constexpr double probe_ms = 20;
constexpr std::int64_t checked_copies = 8;
constexpr double untrusted_reset_share = 0.5;

/// Thrown where a graph did not do what the eager call did: ours, not the vendor's.
Error unlike_eager(const char* reason, const std::string& detail) {
  return Error(Errc::device, 0, reason, "graph", detail);
}

/// One attempt, phase by phase; errors leave it with the phase in which they happened.
class Attempt {
 public:
  Attempt(Device& device, Calls& calls, const Verified& verified, const Warmup& warmup,
          const Options& options, Cache wanted, Stream stream, Progress& progress)
      : device_(device),
        calls_(calls),
        verified_(verified),
        warmup_(warmup),
        options_(options),
        wanted_(wanted),
        stream_(stream),
        progress_(progress) {}

  Phase phase() const { return phase_; }

  Timing run() {
    enter(Phase::capture);
    check_one_call();
    TimedGraph graph = build(estimate_repeat());
    time(graph);
    return timing_;
  }

 private:
  void enter(Phase phase) {
    phase_ = phase;
    progress_.phase(phase);
  }

  /// A graph of one call holds work and does what the verified call did.
  void check_one_call() {
    OwnedGraph graph = capture_calls(device_, calls_, 1, Content::calls);
    timing_.nodes_per_call = device_.count_nodes(graph.get());
    if (timing_.nodes_per_call == 0) {
      throw unlike_eager("NothingCaptured",
                         "the captured graph is empty: the call enqueued its work on another "
                         "stream than the one it was given");
    }
    enter(Phase::instantiate);
    TimedGraph one(device_, std::move(graph), 1);
    enter(Phase::replay);
    // What the capture let through to another stream must not land between poison and comparison.
    device_.synchronize();
    prepare_single_call(calls_, stream_);
    device_.synchronize();
    one.replay(stream_);
    device_.synchronize();
    const std::string wrong = verified_.check_replay(calls_, stream_, progress_);
    if (!wrong.empty()) throw unlike_eager("ReplayMismatch", wrong);
    if (calls_.definition().has_resets()) {
      enter(Phase::capture);
      const OwnedGraph resets = capture_calls(device_, calls_, 1, Content::resets);
      reset_nodes_ = device_.count_nodes(resets.get());
    }
  }

  std::int64_t nodes_per_call() const { return timing_.nodes_per_call + reset_nodes_; }
  std::int64_t copies() const { return calls_.buffers().copies(); }
  std::int64_t node_cap() const {
    return copies() > 1 ? device_.info().cold_node_cap : device_.info().node_cap;
  }

  std::int64_t estimate_repeat() {
    if (copies() * nodes_per_call() > device_.info().cold_node_cap) {
      timing_.notes.push_back("warm: " + std::to_string(copies()) + " copies x " +
                              std::to_string(nodes_per_call()) + " nodes exceed the " +
                              std::to_string(device_.info().cold_node_cap) + " nodes of a graph");
      calls_.buffers().share_one_copy();
      cold_lost_ = true;
    }
    enter(Phase::capture);
    if (options_.schedule == ScheduleKind::reference) return reference_repeat_within_cap();
    const double call_ms = std::max(warmup_.call_ms, 1e-9);
    const auto fits = static_cast<std::int64_t>(std::min<double>(probe_calls, probe_ms / call_ms));
    TimedGraph probe(
        device_,
        capture_calls(device_, calls_, std::max<std::int64_t>(1, fits), Content::calls_with_resets),
        std::max<std::int64_t>(1, fits));
    enter(Phase::replay);
    probe.upload(stream_);
    // A probe need not be a whole rotation, after which every copy would have been reset.
    calls_.reset_all(stream_);
    probe.replay(stream_);
    calls_.reset_all(stream_);
    const double estimate = probe.replay_ms(stream_);
    return adaptive_repeat(estimate, copies(), nodes_per_call(), node_cap());
  }

  std::int64_t reference_repeat_within_cap() {
    const OwnedEvent start(device_);
    const OwnedEvent end(device_);
    calls_.reset_all(stream_);
    device_.record(start.get(), stream_);
    for (int i = 0; i < reference_estimate_calls; ++i) {
      if (calls_.definition().has_resets()) calls_.enqueue_resets(stream_, i);
      calls_.enqueue(stream_, i);
    }
    device_.record(end.get(), stream_);
    device_.synchronize(end.get());
    const double estimate = device_.elapsed_ms(start.get(), end.get()) / reference_estimate_calls;
    const std::int64_t wanted = reference_repeat(estimate, options_.rep_ms);
    const std::int64_t whole = (wanted + copies() - 1) / copies() * copies();
    const std::int64_t repeat = within_cap(whole, copies(), nodes_per_call(), node_cap());
    if (repeat < wanted) {
      timing_.notes.push_back("n_repeat " + std::to_string(wanted) + " cut to " +
                              std::to_string(repeat) + " by the cap of " +
                              std::to_string(node_cap()) + " nodes");
    }
    return repeat;
  }

  /// The timed graph; where the device runs out of memory, once more with half the calls.
  TimedGraph build(std::int64_t repeat) {
    try {
      return build_once(repeat);
    } catch (const Error& e) {
      const std::int64_t half = repeat / 2 / copies() * copies();
      if (e.errc != Errc::out_of_memory || half == 0) throw;
      device_.clear_last_error();
      timing_.notes.push_back("n_repeat halved to " + std::to_string(half) + ": out of memory in " +
                              std::string(name(phase_)));
      return build_once(half);
    }
  }

  TimedGraph build_once(std::int64_t repeat) {
    if (repeat < 1) {
      throw unlike_eager("TooManyNodes", "one call has " + std::to_string(nodes_per_call()) +
                                             " nodes, the cap is " + std::to_string(node_cap()));
    }
    enter(Phase::capture);
    OwnedGraph graph = capture_calls(device_, calls_, repeat, Content::calls_with_resets);
    const std::int64_t nodes = device_.count_nodes(graph.get());
    if (nodes != repeat * nodes_per_call()) {
      timing_.notes.push_back("the timed graph has " + std::to_string(nodes) + " nodes, not " +
                              std::to_string(repeat) + " x " + std::to_string(nodes_per_call()));
    }
    enter(Phase::instantiate);
    return TimedGraph(device_, std::move(graph), repeat);
  }

  void time(TimedGraph& graph) {
    timing_.n_repeat = graph.calls();
    if (wanted_ != Cache::warm && !cold_lost_) timing_.cold_by = "rotation";
    enter(Phase::replay);
    graph.upload(stream_);
    // In-place operands start from their own values, outputs from poison, so that what the series
    // leaves behind says something.
    calls_.buffers().restore_all_in_place(stream_);
    for_checked_copies([&](std::int64_t copy) { calls_.buffers().poison(copy, stream_); });
    calls_.reset_all(stream_);
    device_.synchronize(stream_);

    const TimerCheck timer(device_);
    double device_ms = 0;
    const Step step = [&](std::vector<double>& samples) {
      const double ms = graph.replay_ms(stream_);
      device_ms += ms * static_cast<double>(graph.calls());
      samples.push_back(ms);
    };
    timing_.window = options_.schedule == ScheduleKind::reference
                         ? fixed_window(device_, step, reference_replays)
                         : burst_window(device_, timing_.n_repeat, step);
    timer.require_plausible(device_ms);
    if (wants_sustained()) timing_.sustained = sustained_window(device_, step);

    for_checked_copies([&](std::int64_t copy) {
      const std::string wrong = verified_.check_series(calls_, copy, stream_);
      if (!wrong.empty()) throw unlike_eager("ReplayMismatch", "after the timed replays " + wrong);
    });
    if (reset_nodes_ > 0) subtract_resets();
  }

  template <class F>
  void for_checked_copies(F visit) {
    const std::int64_t count = std::min(checked_copies, copies());
    for (std::int64_t i = 0; i < count; ++i) {
      visit(count == 1 ? 0 : i * (copies() - 1) / (count - 1));
    }
  }

  bool wants_sustained() const {
    if (options_.schedule == ScheduleKind::reference) return false;
    if (options_.sustained != SustainedChoice::automatic) {
      return options_.sustained == SustainedChoice::on;
    }
    const Case& c = calls_.definition();
    if (!c.declared_flops || c.operands.empty()) return false;
    const std::optional<double> peak = device_.info().peak_TFLOPS(c.operands[0].type);
    const double call_ms = stats::median(timing_.window.samples_ms);
    return peak && *c.declared_flops / (call_ms * 1e9) > *peak / 2;
  }

  void subtract_resets() {
    enter(Phase::capture);
    TimedGraph resets(device_, capture_calls(device_, calls_, timing_.n_repeat, Content::resets),
                      timing_.n_repeat);
    enter(Phase::replay);
    resets.upload(stream_);
    const Step step = [&](std::vector<double>& samples) {
      samples.push_back(resets.replay_ms(stream_));
    };
    const double reset_ms = stats::median((options_.schedule == ScheduleKind::reference
                                               ? fixed_window(device_, step, reference_replays)
                                               : burst_window(device_, timing_.n_repeat, step))
                                              .samples_ms);
    const double total_ms = stats::median(timing_.window.samples_ms);
    timing_.notes.push_back("resets of " + std::to_string(reset_ms * 1e3) +
                            " us a call were timed alone and subtracted");
    timing_.untrusted = reset_ms > untrusted_reset_share * total_ms;
    subtract(timing_.window, reset_ms);
    if (timing_.sustained) subtract(*timing_.sustained, reset_ms);
  }

  static void subtract(Window& window, double ms) {
    for (double& sample : window.samples_ms) {
      sample -= ms;
      if (!(sample > 0)) {
        throw Error(Errc::untimeable, "the resets take as long as the calls with their resets");
      }
    }
  }

  Device& device_;
  Calls& calls_;
  const Verified& verified_;
  const Warmup& warmup_;
  const Options& options_;
  Cache wanted_;
  Stream stream_;
  Progress& progress_;
  Phase phase_ = Phase::capture;
  std::int64_t reset_nodes_ = 0;
  bool cold_lost_ = false;
  Timing timing_;
};

}  // namespace

std::variant<Timing, GraphFailure> time_with_graph(Device& device, Calls& calls,
                                                   const Verified& verified, const Warmup& warmup,
                                                   const Options& options, Cache wanted,
                                                   Stream stream, Progress& progress) {
  Attempt attempt(device, calls, verified, warmup, options, wanted, stream, progress);
  try {
    return attempt.run();
  } catch (const Error& e) {
    if (e.errc == Errc::usage || e.errc == Errc::untimeable || e.errc == Errc::internal) throw;
    GraphFailure failed;
    failed.failure = {attempt.phase(), e.name.empty() ? "Error" : e.name,
                      e.call.empty() ? e.what() : e.call + ": " + e.text};
    failed.context_dead = !recover(device, stream);
    return failed;
  }
}

}  // namespace zl
