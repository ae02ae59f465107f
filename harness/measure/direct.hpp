#pragma once

#include "measure/calls.hpp"
#include "measure/timing.hpp"
#include "measure/warmup.hpp"

namespace zl {

/// Where a direct measurement tries to record its events first.
enum class EventStream : std::uint8_t {
  own,             ///< the stream that the op was given
  legacy_default,  ///< after NothingCaptured: the op is known to enqueue somewhere else
};

/// Times each call between two events. Errors of calls are thrown, and `untimeable` where the
/// events do not see the work or disagree with the wall clock.
Timing time_directly(Device& device, Calls& calls, const Warmup& warmup, const Options& options,
                     const Rotation& rotation, EventStream events, Stream stream);

}  // namespace zl
