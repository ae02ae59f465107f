#include "measure/direct.hpp"

#include <algorithm>
#include <cmath>

#include "measure/timer_check.hpp"
#include "zl/error.hpp"

namespace zl {

namespace {

constexpr double chunk_ms = 2;
constexpr std::int64_t most_calls_in_chunk = 100;
constexpr std::size_t least_flush_bytes = std::size_t{256} << 20;

/// Calls one after the other, each between its own pair of events, read after the last one.
class EventPairs {
 public:
  EventPairs(Device& device, Calls& calls, Stream call_stream, Stream event_stream)
      : device_(device), calls_(calls), call_stream_(call_stream), event_stream_(event_stream) {}

  /// `flush` (may be empty) runs before each call, outside its events.
  void time(std::int64_t count, const std::function<void()>& flush, std::vector<double>& samples) {
    while (starts_.size() < static_cast<std::size_t>(count)) {
      starts_.emplace_back(device_);
      ends_.emplace_back(device_);
    }
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
      // Where an op ignores its stream, on the one that its work waits for.
      if (calls_.need_preparation()) calls_.enqueue_preparation(event_stream_, next_);
      if (flush) flush();
      device_.record(starts_[i].get(), event_stream_);
      calls_.enqueue(call_stream_, next_++);
      device_.record(ends_[i].get(), event_stream_);
    }
    device_.synchronize(event_stream_);
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
      const double ms = device_.elapsed_ms(starts_[i].get(), ends_[i].get());
      if (!(ms >= 0)) {
        throw Error(Errc::untimeable, "an event pair shows " + std::to_string(ms) + " ms");
      }
      device_ms_ += ms;
      samples.push_back(ms);
    }
  }
  double device_ms() const { return device_ms_; }

 private:
  Device& device_;
  Calls& calls_;
  Stream call_stream_;
  Stream event_stream_;
  std::vector<OwnedEvent> starts_;
  std::vector<OwnedEvent> ends_;
  std::int64_t next_ = 0;
  double device_ms_ = 0;
};

/// Whether events on a stream see the work of calls: after the end event nothing is left to wait
/// for on the device, and the wall clock agrees.
class Sight {
 public:
  Sight(Device& device, Calls& calls, const Warmup& warmup, Stream stream)
      : device_(device), calls_(calls), stream_(stream) {
    const double eager_ms = std::max(warmup.eager_ms, 1e-6);
    count_ =
        std::clamp<std::int64_t>(static_cast<std::int64_t>(series_ms / eager_ms), 1, most_calls);
  }

  /// A pause of this process also looks like work that was not seen, so one of a few tries is
  /// enough.
  bool covers(Stream events) {
    for (int attempt = 0; attempt < attempts; ++attempt) {
      if (covers_once(events)) return true;
    }
    return false;
  }
  const std::string& found() const { return found_; }

 private:
  static constexpr double series_ms = 5;
  static constexpr std::int64_t most_calls = 1000;
  static constexpr int attempts = 3;
  static constexpr double allowed_share = 0.1;
  static constexpr double allowed_ms = 0.1;

  bool covers_once(Stream events) {
    const OwnedEvent start(device_);
    const OwnedEvent end(device_);
    calls_.reset_all(stream_);
    device_.synchronize();
    const double wall_start = device_.wall_ms();
    device_.record(start.get(), events);
    for (std::int64_t i = 0; i < count_; ++i) {
      if (calls_.definition().has_resets()) calls_.enqueue_resets(events, i);
      calls_.enqueue(stream_, i);
    }
    device_.record(end.get(), events);
    device_.synchronize(end.get());
    const double seen_at = device_.wall_ms();
    // What the events did not see runs on now, and makes the wall time longer than theirs.
    device_.synchronize();
    const double done_at = device_.wall_ms();
    const double elapsed = device_.elapsed_ms(start.get(), end.get());
    const double wall = done_at - wall_start;
    found_ = std::to_string(elapsed) + " ms by events, " + std::to_string(wall) +
             " ms by wall clock, " + std::to_string(done_at - seen_at) +
             " ms of it after the end event";
    return std::abs(wall - elapsed) <= allowed_share * wall + allowed_ms;
  }

  Device& device_;
  Calls& calls_;
  Stream stream_;
  std::int64_t count_;
  std::string found_;
};

/// The stream on which events see the calls: the one they are given, or the legacy default one,
/// which waits for ordinary streams that an op keeps for itself.
Stream choose_event_stream(Device& device, Calls& calls, const Warmup& warmup, EventStream first,
                           Stream stream) {
  Sight sight(device, calls, warmup, stream);
  if (first == EventStream::own && sight.covers(stream)) return stream;
  if (sight.covers(device.default_stream())) return device.default_stream();
  throw Error(Errc::untimeable, "the call's work runs on a stream that events do not see (" +
                                    sight.found() +
                                    "): enqueue it on the stream that the implementation is given");
}

Timing time_reference(Device& device, Calls& calls, const Options& options, bool cold,
                      EventPairs& pairs, Stream call_stream, Stream stream) {
  const bool resets = calls.definition().has_resets();
  const auto call = [&](std::int64_t index) {
    if (resets) calls.enqueue_resets(stream, index);
    calls.enqueue(call_stream, index);
  };
  call(0);
  device.synchronize();
  Timing timing;
  OwnedMemory flush_memory;
  std::function<void()> flush;
  if (cold) {
    const std::size_t bytes = std::max(least_flush_bytes, 4 * device.info().l2_bytes);
    flush_memory = OwnedMemory(device, bytes);
    flush = [&device, &flush_memory, bytes, stream] {
      device.set_bytes(flush_memory.get(), 0, bytes, stream);
    };
    timing.cold_by = "flush";
  }
  const OwnedEvent start(device);
  const OwnedEvent end(device);
  device.record(start.get(), stream);
  for (int i = 0; i < reference_estimate_calls; ++i) {
    if (flush) flush();
    call(i);
  }
  device.record(end.get(), stream);
  device.synchronize(end.get());
  const double estimate = device.elapsed_ms(start.get(), end.get()) / reference_estimate_calls;
  const DirectCounts counts = reference_direct_counts(estimate, options.warmup_ms, options.rep_ms);
  const double load_start = device.wall_ms();
  for (std::int64_t i = 0; i < counts.warmup; ++i) call(i);
  timing.window.load_before_ms = device.wall_ms() - load_start;
  const double timed_start = device.wall_ms();
  pairs.time(counts.repeat, flush, timing.window.samples_ms);
  timing.window.load_during_ms = device.wall_ms() - timed_start;
  return timing;
}

}  // namespace

Timing time_directly(Device& device, Calls& calls, const Warmup& warmup, const Options& options,
                     const Rotation& rotation, EventStream events, Stream stream) {
  const Stream event_stream = choose_event_stream(device, calls, warmup, events, stream);
  const bool reference = options.schedule == ScheduleKind::reference;
  const bool cold_asked = rotation.cache != Cache::warm || !rotation.why_not.empty();
  // This schedule makes operands cold by overwriting the cache.
  if (reference) {
    calls.stop_evicting();
    calls.buffers().share_one_copy();
  }
  calls.reset_all(event_stream);
  device.synchronize();
  const std::size_t set_aside = device.reset_persisting_cache();
  EventPairs pairs(device, calls, stream, event_stream);
  Timing timing;
  if (reference) {
    timing = time_reference(device, calls, options, cold_asked, pairs, stream, event_stream);
  } else {
    const auto count = std::clamp<std::int64_t>(
        static_cast<std::int64_t>(chunk_ms / std::max(warmup.eager_ms, 1e-6)), 1,
        most_calls_in_chunk);
    timing.window = burst_window(
        device, count, [&](std::vector<double>& samples) { pairs.time(count, nullptr, samples); });
    if (calls.evicting()) {
      timing.cold_by = "evict";
    } else if (calls.buffers().copies() == rotation.copies && rotation.cache != Cache::warm) {
      timing.cache_note = calls.why_not_rotated();
      if (timing.cache_note.empty()) timing.cold_by = "rotation";
    }
  }
  if (set_aside > 0 && !timing.cold_by.empty()) {
    timing.cold_by.clear();
    timing.cache_note = "the call set " + std::to_string(set_aside) + " bytes of L2 aside";
  }
  if (!(event_stream == stream)) {
    timing.notes.push_back(
        "events on the legacy default stream: the call ignores the stream it is given");
  }
  timing.n_repeat = static_cast<std::int64_t>(timing.window.samples_ms.size());
  timing.clocks = device.clocks();
  if (timing.clocks.slowed) {
    timing.untrusted.push_back("the device ran slowed: " + timing.clocks.limit_reasons);
  }
  require_plausible_timer(pairs.device_ms(), timing.window.load_ms());
  return timing;
}

}  // namespace zl
