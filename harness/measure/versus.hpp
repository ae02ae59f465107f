#pragma once

#include "measure/one_call.hpp"

namespace zl {

/// The median of (other's time / own time) over interleaved replays of both, without the time of
/// what prepares the calls. `other` is checked as the measured implementation was: an error says
/// what its graph does not do, or that it cannot be compared. `own_overlap`: of the own calls.
double interleaved_speedup(Device& device, Calls& own, Overlap own_overlap, Calls& other,
                           const Verified& other_verified, std::int64_t n_repeat, Stream stream,
                           Progress& progress);

}  // namespace zl
