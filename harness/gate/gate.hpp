#pragma once

#include <functional>
#include <string>

#include "cli/invocation.hpp"
#include "measure/result.hpp"

namespace zl {

/// Holds a measured result against the baseline of `options`, where one is given. One that is
/// suspect, too slow or of a method or cache that no run of the baseline had, is measured twice
/// more with `again`; only where all three are does its verdict become `regression` or `changed`. A
/// measurement among them that fails is the result. `today` is the date in UTC.
/// Errc::usage for a baseline that cannot be read.
Result gated(Result first, const GateOptions& options, const std::string& today,
             const std::function<Result()>& again);

/// "2026-11-30", in UTC.
std::string today();

}  // namespace zl
