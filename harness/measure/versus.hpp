#pragma once

#include "measure/calls.hpp"

namespace zl {

/// The median of (other's time / own time) over interleaved replays of both, without the time of
/// what prepares the calls.
double interleaved_speedup(Device& device, Calls& own, Calls& other, std::int64_t n_repeat,
                           Stream stream);

}  // namespace zl
