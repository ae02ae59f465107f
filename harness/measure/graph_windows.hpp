#pragma once

#include "measure/timed_graph.hpp"
#include "measure/timing.hpp"

namespace zl {

/// Times replays of `calls`; where the calls are prepared, `preparations` is a graph of that alone
/// and is subtracted. Fills the window, sustained window, clocks and reasons for no trust.
/// Throws `untimeable` where the device's timer cannot be believed.
void time_replays(Device& device, const Case& c, const Options& options, TimedGraph& calls,
                  TimedGraph* preparations, Stream stream, Timing& timing);

}  // namespace zl
