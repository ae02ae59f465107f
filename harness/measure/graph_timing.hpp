#pragma once

#include <variant>

#include "measure/timing.hpp"
#include "measure/verify.hpp"
#include "measure/warmup.hpp"

namespace zl {

/// Why there is no graph timing, and whether the context survived.
struct GraphFailure {
  Failure failure;
  bool context_dead = false;
  std::int64_t persisting_bytes = 0;  ///< that a kernel asks L2 to keep, as far as was seen
};

/// Why a result is not cold.
std::string kept_in_cache(std::int64_t persisting_bytes);

/// Steps 7 to 10 of the order of work. Errors of usage, `untimeable` and broken promises of the
/// harness are thrown; every other failure ends as a GraphFailure, after the abort path.
std::variant<Timing, GraphFailure> time_with_graph(Device& device, Calls& calls,
                                                   const Verified& verified, const Warmup& warmup,
                                                   const Options& options, const Rotation& rotation,
                                                   Stream stream, Progress& progress);

}  // namespace zl
