#pragma once

#include <algorithm>
#include <climits>
#include <initializer_list>
#include <string>

#include "zl/error.hpp"
#include "zl/types.hpp"

namespace ops {

/// Kernels count rows and columns in 32 bits, with room for the tiles that reach past the edges.
inline void check_extents(const char* op, std::initializer_list<zl::i64> extents) {
  constexpr zl::i64 most = INT_MAX - 1024;
  if (std::max(extents) <= most) return;
  throw zl::Error(zl::Errc::usage,
                  std::string(op) + ": an axis is longer than " + std::to_string(most));
}

}  // namespace ops
