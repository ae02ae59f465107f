#pragma once

#include <functional>

#include "measure/capture.hpp"
#include "measure/graph_dump.hpp"
#include "measure/verify.hpp"

namespace zl {

/// What a graph of one call, and one of two, tell of an implementation.
struct OneCall {
  GraphStructure structure;
  /// A call would start before the one ahead of it has ended: they have to be kept apart.
  Overlap overlap = Overlap::as_launched;
};

/// Captures one call, and replays it to see that it does what the verified call did. Throws
/// NothingCaptured where the graph holds no work, ReplayMismatch where it does something else.
/// `enter` is told the phases, `dump` (null: nobody) given the graph of one call.
OneCall check_one_call(Device& device, Calls& calls, const Verified& verified, Stream stream,
                       Progress& progress, const std::function<void(Phase)>& enter,
                       GraphDump* dump = nullptr);

/// An error that is ours, of a graph that does not do what the eager call did.
Error unlike_eager(const char* reason, const std::string& detail);

}  // namespace zl
