#pragma once

#include <cstdint>

namespace zl {

/// One operation of the device as a profiler saw it, on the device's clock.
struct TraceRecord {
  std::uint64_t start_ns = 0;
  std::uint64_t end_ns = 0;
};

}  // namespace zl
