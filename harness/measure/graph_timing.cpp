#include "measure/graph_timing.hpp"

#include <algorithm>

#include "measure/capture.hpp"
#include "measure/graph_windows.hpp"
#include "measure/one_call.hpp"
#include "measure/statistics.hpp"
#include "measure/timed_graph.hpp"

namespace zl {

namespace {

constexpr std::int64_t probe_calls = 20;
constexpr double probe_ms = 20;
constexpr std::int64_t checked_copies = 8;
constexpr double most_evict_half_width_pct = 10;

/// One attempt, phase by phase; errors leave it with the phase in which they happened.
class Attempt {
 public:
  Attempt(Device& device, Calls& calls, const Verified& verified, const Warmup& warmup,
          const Options& options, const Rotation& rotation, Stream stream, Progress& progress)
      : device_(device),
        calls_(calls),
        verified_(verified),
        warmup_(warmup),
        options_(options),
        rotation_(rotation),
        stream_(stream),
        progress_(progress),
        dump_(device, options.dump_graph, progress) {}

  Phase phase() const { return phase_; }
  std::int64_t persisting_bytes() const { return persisting_bytes_; }
  GraphDump& dump() { return dump_; }

  Timing run() {
    check_one_call();
    if (!time(estimate_repeat())) {
      // Nothing that the discarded windows saw is true of the ones that follow.
      timing_.untrusted.clear();
      timing_.sustained.reset();
      time(estimate_repeat());
    }
    return timing_;
  }

 private:
  void enter(Phase phase) {
    phase_ = phase;
    progress_.phase(phase);
  }

  void check_one_call() {
    const OneCall one = zl::check_one_call(
        device_, calls_, verified_, stream_, progress_, [this](Phase phase) { enter(phase); },
        &dump_);
    timing_.nodes_per_call = one.structure.nodes;
    timing_.overlap = one.overlap;
    persisting_bytes_ = one.structure.persisting_bytes;
    if (one.structure.allocations > 0) {
      timing_.notes.push_back("a call allocates " + std::to_string(one.structure.allocations) +
                              " times inside the graph");
    }
    if (one.overlap == Overlap::cut) {
      timing_.notes.push_back(
          "a call would start before the previous one ends (programmatic launch): an empty node "
          "keeps them apart");
    }
  }

  void count_preparation() {
    preparation_nodes_ = 0;
    if (!calls_.need_preparation()) return;
    enter(Phase::capture);
    preparation_nodes_ = device_.count_nodes(capture(1, Content::preparations).get());
  }

  OwnedGraph capture(std::int64_t count, Content content) {
    OwnedGraph graph = capture_calls(device_, calls_, count, content, timing_.overlap);
    if (content == Content::prepared_calls) dump_.write(graph.get(), count);
    return graph;
  }

  Cache wanted() const { return rotation_.cache; }
  std::int64_t nodes_per_call() const { return timing_.nodes_per_call + preparation_nodes_; }
  std::int64_t copies() const { return calls_.buffers().copies(); }
  std::int64_t node_cap() const {
    return copies() > 1 ? device_.info().cold_node_cap : device_.info().node_cap;
  }

  std::int64_t estimate_repeat() {
    count_preparation();
    if (copies() * nodes_per_call() > device_.info().cold_node_cap) {
      const std::string why = std::to_string(copies()) + " copies x " +
                              std::to_string(nodes_per_call()) + " nodes exceed the " +
                              std::to_string(device_.info().cold_node_cap) + " nodes of a graph";
      calls_.buffers().share_one_copy();
      cold_lost_ = true;
      if (rotation_.sweepable) calls_.evict_before_calls();
      count_preparation();
      give_note(calls_.evicting(), why);
    }
    enter(Phase::capture);
    if (options_.schedule == ScheduleKind::reference) return reference_repeat_within_cap();
    const double call_ms = std::max(warmup_.call_ms, 1e-9);
    const auto fits = static_cast<std::int64_t>(std::min<double>(probe_calls, probe_ms / call_ms));
    TimedGraph probe(device_, capture(std::max<std::int64_t>(1, fits), Content::prepared_calls),
                     std::max<std::int64_t>(1, fits));
    enter(Phase::replay);
    probe.upload(stream_);
    // A probe need not be a whole rotation, after which every copy would have been reset.
    calls_.reset_all(stream_);
    probe.replay(stream_);
    calls_.reset_all(stream_);
    timing_.estimate_ms = probe.replay_ms(stream_);
    return adaptive_repeat(timing_.estimate_ms, copies(), nodes_per_call(), node_cap());
  }

  std::int64_t reference_repeat_within_cap() {
    const OwnedEvent start(device_);
    const OwnedEvent end(device_);
    calls_.reset_all(stream_);
    device_.record(start.get(), stream_);
    for (int i = 0; i < reference_estimate_calls; ++i) {
      if (calls_.need_preparation()) calls_.enqueue_preparation(stream_, i);
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
    OwnedGraph graph = capture(repeat, Content::prepared_calls);
    const std::int64_t nodes = device_.count_nodes(graph.get());
    if (nodes != repeat * nodes_per_call()) {
      timing_.notes.push_back("the timed graph has " + std::to_string(nodes) + " nodes, not " +
                              std::to_string(repeat) + " x " + std::to_string(nodes_per_call()));
    }
    enter(Phase::instantiate);
    return TimedGraph(device_, std::move(graph), repeat);
  }

  /// False: the sweep's own noise hides the call, which has to be timed warm.
  bool time(std::int64_t repeat) {
    TimedGraph graph = build(repeat);
    timing_.n_repeat = graph.calls();
    timing_.cold_by = calls_.evicting()                        ? "evict"
                      : wanted() != Cache::warm && !cold_lost_ ? "rotation"
                                                               : "";
    std::optional<TimedGraph> preparations;
    if (calls_.need_preparation()) {
      enter(Phase::capture);
      preparations.emplace(device_, capture(timing_.n_repeat, Content::preparations),
                           timing_.n_repeat);
    }
    enter(Phase::replay);
    graph.upload(stream_);
    if (preparations) preparations->upload(stream_);
    // In-place operands start from their own values, outputs from poison, so that what the series
    // leaves behind says something.
    calls_.buffers().restore_all_in_place(stream_);
    for_checked_copies([&](std::int64_t copy) { calls_.poison(copy, stream_); });
    calls_.reset_all(stream_);
    device_.synchronize(stream_);
    const bool persisting = has_persisting_cache();
    time_replays(device_, calls_.definition(), options_, graph,
                 preparations ? &*preparations : nullptr, stream_, timing_);
    if (!timed_above_noise()) return false;
    require_positive();
    if (persisting) timing_.cold_by.clear();
    require_rotated();

    // Behind the last replay of the preparations alone nothing is as the calls leave it.
    if (preparations) graph.replay(stream_);
    for_checked_copies([&](std::int64_t copy) {
      const std::string wrong = verified_.check_series(calls_, copy, stream_);
      if (!wrong.empty()) throw unlike_eager("ReplayMismatch", "after the timed replays " + wrong);
    });
    return true;
  }

  /// How cold was reached otherwise than asked for, or why it was not.
  void give_note(bool cold, const std::string& why) {
    if (cold) {
      timing_.notes.push_back("evict: " + why);
    } else {
      timing_.cache_note = why;
    }
  }

  /// Lines that an op asked L2 to keep are not cold, whatever the rotation.
  bool has_persisting_cache() {
    const std::size_t set_aside = device_.reset_persisting_cache();
    if (persisting_bytes_ == 0 && set_aside == 0) return false;
    timing_.cache_note = persisting_bytes_ > 0
                             ? kept_in_cache(persisting_bytes_)
                             : "the call set " + std::to_string(set_aside) + " bytes of L2 aside";
    return true;
  }

  void require_rotated() {
    if (timing_.cold_by != "rotation") return;
    const std::string why_not = calls_.why_not_rotated();
    if (why_not.empty()) return;
    timing_.cold_by.clear();
    timing_.cache_note = why_not;
  }

  bool timed_above_noise() {
    if (timing_.cold_by != "evict") return true;
    const std::vector<double>& samples = timing_.window.samples_ms;
    const std::optional<double> half_width = stats::median_half_width_pct(samples);
    if (stats::minimum(samples) > 0 && half_width && *half_width < most_evict_half_width_pct) {
      return true;
    }
    timing_.cache_note = "sweeping the cache before each call is too noisy for this one";
    calls_.stop_evicting();
    return false;
  }

  void require_positive() const {
    for (const Window* window :
         {&timing_.window, timing_.sustained ? &*timing_.sustained : &timing_.window}) {
      for (const double sample : window->samples_ms) {
        if (sample > 0) continue;
        throw Error(Errc::untimeable,
                    calls_.need_preparation()
                        ? "the resets take as long as the calls with their resets"
                        : "a replay shows " + std::to_string(sample) + " ms a call");
      }
    }
  }

  template <class F>
  void for_checked_copies(F visit) {
    const std::int64_t count = std::min(checked_copies, copies());
    for (std::int64_t i = 0; i < count; ++i) {
      visit(count == 1 ? 0 : i * (copies() - 1) / (count - 1));
    }
  }

  Device& device_;
  Calls& calls_;
  const Verified& verified_;
  const Warmup& warmup_;
  const Options& options_;
  const Rotation& rotation_;
  Stream stream_;
  Progress& progress_;
  GraphDump dump_;
  Phase phase_ = Phase::capture;
  std::int64_t preparation_nodes_ = 0;
  std::int64_t persisting_bytes_ = 0;
  bool cold_lost_ = false;
  Timing timing_;
};

}  // namespace

std::string kept_in_cache(std::int64_t persisting_bytes) {
  return "a kernel asks L2 to keep " + std::to_string(persisting_bytes) + " bytes";
}

std::variant<Timing, GraphFailure> time_with_graph(Device& device, Calls& calls,
                                                   const Verified& verified, const Warmup& warmup,
                                                   const Options& options, const Rotation& rotation,
                                                   Stream stream, Progress& progress) {
  Attempt attempt(device, calls, verified, warmup, options, rotation, stream, progress);
  try {
    return attempt.run();
  } catch (const Error& e) {
    if (e.errc == Errc::usage || e.errc == Errc::untimeable || e.errc == Errc::internal) throw;
    GraphFailure failed;
    failed.failure = {attempt.phase(), e.name.empty() ? "Error" : e.name,
                      e.call.empty() ? e.what() : e.call + ": " + e.text};
    failed.persisting_bytes = attempt.persisting_bytes();
    attempt.dump().explain(std::string(name(failed.failure.phase)) + " failed: " + e.what());
    failed.context_dead = !recover(device, stream);
    return failed;
  }
}

}  // namespace zl
