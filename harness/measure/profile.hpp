#pragma once

#include "measure/prepare.hpp"

namespace zl {

/// One call of a case that was verified and warmed up, between the profiler's start and stop and
/// in a range named after the case. Fills verdict and message: nothing is timed. Throws what the
/// call does, and Errc::usage where the profiler does not start or stop.
void profile_one_call(Prepared& p, Result& result);

}  // namespace zl
