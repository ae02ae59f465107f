#pragma once

#include "measure/calls.hpp"
#include "measure/options.hpp"

namespace zl {

struct Warmup {
  std::int64_t calls = 0;      ///< all of them, 7 to 202 at the default cap
  double call_ms = 0;          ///< wall time of one call with a synchronize
  double eager_ms = 0;         ///< wall time a call, launched one after the other
  double host_enqueue_ms = 0;  ///< host time to enqueue one call
};

/// One call, discarded; one timed by the wall clock; then as many as the budget holds.
Warmup warm_up(Device& device, Calls& calls, const Options& options, Stream stream);

}  // namespace zl
