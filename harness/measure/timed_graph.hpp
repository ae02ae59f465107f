#pragma once

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
  void upload(Stream stream);
  std::int64_t calls() const { return calls_; }
  std::int64_t nodes() const { return nodes_; }

 private:
  Device& device_;
  OwnedGraph graph_;  // as long as its exec: some drivers need it
  OwnedExec exec_;
  std::int64_t calls_;
  std::int64_t nodes_;
  OwnedEvent start_;
  OwnedEvent end_;
};

}  // namespace zl
