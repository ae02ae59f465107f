#pragma once

#include <string>

#include "measure/result.hpp"
#include "measure/timed_graph.hpp"

namespace zl {

/// What the device's profiler saw of a graph's calls, of `nodes_per_call` operations each, against
/// the events around the same replays. `untraced_ms`: a call's time before.
struct CrossCheckOutcome {
  std::optional<CrossCheck> check;
  std::string why_not;
};
CrossCheckOutcome cross_check(Device& device, TimedGraph& graph, std::int64_t nodes_per_call,
                              double untraced_ms, Stream stream);

/// Of the records of some replays in the order of their start, `calls` calls a replay.
/// `replay_us` and `slowdown_pct` are left 0.
CrossCheck summarize_trace(const std::vector<TraceRecord>& records, std::int64_t nodes_per_call,
                           std::int64_t calls);

}  // namespace zl
