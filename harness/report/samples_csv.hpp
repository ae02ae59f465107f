#pragma once

#include <string>

#include "measure/result.hpp"

namespace zl {

/// Every sample of the measured windows, in the order measured: the case, the window (`burst`,
/// `sustained`; `reference` of that schedule), the index in it, the time of one call in us and how
/// many calls it is the mean of. The header alone where nothing was measured.
/// Errc::internal for a number that is not finite.
std::string samples_csv(const Result& result);

}  // namespace zl
