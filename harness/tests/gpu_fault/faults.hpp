#pragma once

#include <cstdint>

#include "zl/stream.hpp"

/// Implementations of y = x, each but the first broken in one way.
namespace zl::fault {

using Call = void(Stream stream, float* y, const float* x, std::int64_t n);

Call healthy;

// What a capture forbids or misses; eagerly they are right.
Call allocation;                  ///< of scratch memory inside the call; gives up where it fails
Call default_stream;              ///< ignores its stream
Call half_on_default_stream;      ///< for half of the output
Call private_blocking_stream;     ///< a stream of its own that waits for the default stream
Call private_nonblocking_stream;  ///< one that waits for nothing
Call unjoined_fork;               ///< its second stream is not joined again
Call synchronous_copy;

// Bad launch configurations; what the launch returned is ignored.
Call bad_launch;
Call bad_launch_in_capture;
Call bad_launch_in_library;  ///< the library has a runtime, and so a last error, of its own
Call bad_launch_in_library_in_capture;

Call other_architecture;  ///< its kernel is built for no device that is measured

// What kills the context.
Call out_of_bounds;
Call out_of_bounds_in_capture;      ///< only as a node of a graph
Call out_of_bounds_beside_capture;  ///< on another stream while its own is captured
Call out_of_bounds_at_replay;       ///< only where the same arguments run a second time

Call endless;

}  // namespace zl::fault
