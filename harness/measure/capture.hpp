#pragma once

#include "measure/calls.hpp"

namespace zl {

/// What a captured graph holds.
enum class Content : std::uint8_t { calls, preparations, prepared_calls };

/// Whether a call in a graph may start before the call ahead of it has ended, as its kernels say
/// (programmatic dependent launch), or an empty node keeps them apart.
enum class Overlap : std::uint8_t { as_launched, cut };

/// Captures calls [0, count) on a fresh stream, under a scratch state of the generator. On any
/// failure the capture is ended and what came of it destroyed before the error leaves here.
OwnedGraph capture_calls(Device& device, Calls& calls, std::int64_t count, Content content,
                         Overlap overlap = Overlap::as_launched);

/// After a failed capture or replay: clears the last error, ends a capture that is still open on
/// `stream`, synchronizes and probes. False: the context is dead.
bool recover(Device& device, Stream stream) noexcept;

}  // namespace zl
