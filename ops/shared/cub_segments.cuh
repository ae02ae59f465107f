#pragma once

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <algorithm>

#include "zl/types.hpp"

namespace ops {

struct RowStart {
  zl::i64 cols;
  __host__ __device__ zl::i64 operator()(zl::i64 row) const { return row * cols; }
};

/// CUDA only. Where the rows of a matrix start, as CUB's segmented functions take it: row r is
/// [begin[r], begin[r + 1]).
inline auto row_starts(zl::i64 cols) {
  return thrust::make_transform_iterator(thrust::counting_iterator<zl::i64>(0), RowStart{cols});
}

/// The most rows that cub::DeviceSegmentedSort takes without sorting them by length first: for that
/// it would wait for the device, which a call that is captured must not. Source:
/// PARTITIONING_THRESHOLD of CUB's tuning policies, 300 for the oldest and 500 for newer
/// architectures.
inline constexpr zl::i64 row_group = 300;

/// Calls `sort(first row, rows)` for all rows in such groups.
template <class Sort>
void for_row_groups(zl::i64 rows, Sort sort) {
  for (zl::i64 first = 0; first < rows; first += row_group) {
    sort(first, std::min(row_group, rows - first));
  }
}

}  // namespace ops
