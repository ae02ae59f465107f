#pragma once

#include <algorithm>

#include "zl/types.hpp"

namespace ops {

/// How rows are cut where there are too few of them for a device: into `count` parts of `length`
/// elements, the last one shorter. Parts are aligned as the rows are.
struct RowParts {
  zl::i64 count;
  zl::i64 length;
};

constexpr RowParts row_parts(zl::i64 rows, zl::i64 cols) {
  constexpr zl::i64 enough = 1024;    // blocks for the largest devices
  constexpr zl::i64 shortest = 8192;  // below that a part is not worth its second kernel
  const zl::i64 most = std::min(enough / std::max<zl::i64>(rows, 1), cols / shortest);
  if (most < 2) return {1, cols};
  const zl::i64 length = (cols / most + 63) / 64 * 64;
  return {(cols + length - 1) / length, length};
}

}  // namespace ops
