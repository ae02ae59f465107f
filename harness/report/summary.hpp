#pragma once

#include <string>

#include "measure/result.hpp"

namespace zl {

/// One line for a person, without a line end: the latency with its half-width and how it was
/// obtained, rates, and what is wrong with it; or the verdict and its message. It says what Google
/// Benchmark's table cannot.
std::string summary_line(const Result& result, bool colours);

}  // namespace zl
