#pragma once

#include <cstdint>

#include "zl/stream.hpp"

namespace zl {

/// data[i] += 1, i in [0, count).
void launch_increment(Stream stream, std::int32_t* data, std::int64_t count);
/// More threads a block than any device has; what the launch returned is ignored.
void launch_with_bad_configuration(Stream stream);

}  // namespace zl
