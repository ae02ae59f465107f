#pragma once

#include <cstdint>
#include <string>

#include "measure/calls.hpp"
#include "measure/result.hpp"

namespace zl {

/// What the comparison with the references found.
struct ReferenceCheck {
  std::string mismatch;  ///< empty: equal
  std::int64_t rows_checked = 0;
  std::int64_t rows_total = 0;
};

/// Compares the outputs of copy 0 with every reference of the case: all rows where that takes
/// about 100 ms, else the first, the last and seeded ones. `draws` are those of the call.
ReferenceCheck check_references(Device& device, const Calls& calls, const Buffers& buffers,
                                const std::array<Philox, Launch::max_draws>& draws,
                                Progress& progress);

}  // namespace zl
