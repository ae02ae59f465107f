#pragma once

#include <vector>

#include "measure/calls.hpp"

namespace zl {

/// A graph of calls, ready to be replayed and timed.
class TimedGraph {
 public:
  TimedGraph(Device& device, OwnedGraph graph, std::int64_t calls);
  /// One replay, ms a call, from its two events.
  double replay_ms(Stream stream);
  /// One replay, not timed.
  void replay(Stream stream);
  void launch(Stream stream);
  void upload(Stream stream);
  std::int64_t calls() const { return calls_; }

 private:
  Device& device_;
  OwnedGraph graph_;  // as long as its exec: some drivers need it
  OwnedExec exec_;
  std::int64_t calls_;
  OwnedEvent start_;
  OwnedEvent end_;
};

/// Replays of some graphs in turn, each enqueued while the one before it still runs: between them
/// the device does not wait for the host, whose launch would otherwise count as the graph's time.
/// Long replays are not worth it: they are launched and waited for one by one.
class ReplayTrain {
 public:
  ReplayTrain(Device& device, std::vector<TimedGraph*> graphs, Stream stream, bool ahead);
  /// Waits for what is on its way, also after an error.
  ~ReplayTrain();
  ReplayTrain(const ReplayTrain&) = delete;
  ReplayTrain& operator=(const ReplayTrain&) = delete;

  /// The next replay of each graph: ms a call. The first round of a train starts on an idle
  /// device, so it is not for counting.
  const std::vector<double>& round();
  /// Waits for the replays that are still on their way.
  void finish();
  /// All device time that rounds have shown.
  double device_ms() const { return device_ms_; }

 private:
  void enqueue();
  OwnedEvent& boundary(std::size_t number) { return events_[number % events_.size()]; }

  Device& device_;
  std::vector<TimedGraph*> graphs_;
  Stream stream_;
  bool ahead_;
  std::vector<OwnedEvent> events_;  ///< a ring; replay n is between boundaries n and n + 1
  std::size_t enqueued_ = 0;        ///< replays, and the number of the last boundary recorded
  std::size_t collected_ = 0;       ///< replays
  std::vector<double> ms_;
  double device_ms_ = 0;
};

}  // namespace zl
