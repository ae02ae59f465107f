#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "measure/result.hpp"

namespace zl {

/// The CTest measurement tags of a result, one line each, without line ends: the numbers in the
/// fixed order of docs, then the texts. Only what is true is among them: a result without a latency
/// claims no method, cache, statistic, samples or n_repeat, and no capture that was never tried.
/// A metric that is not finite is Errc::internal.
std::vector<std::string> tag_lines(const Result& result);

/// Prints them to `fd`, one write() each.
void print_tags(int fd, const Result& result);

/// The shortest decimal that reads back as `value`; no exponent from 1e-5 up to 1e15.
std::string shortest_decimal(double value);

}  // namespace zl
