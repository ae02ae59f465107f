#pragma once

#include "zl/stream.hpp"
#include "zl/types.hpp"

namespace ops {

/// Elements of a row that one block sorts in shared memory.
inline constexpr zl::i64 sorted_at_once = 8192;

/// Bytes of `workspace` below: longer rows are merged to and fro.
constexpr zl::i64 sort_workspace(zl::i64 rows, zl::i64 cols) {
  return cols > sorted_at_once ? rows * cols * 4 : 0;
}

/// y = each of `rows` rows of `cols` elements of x in ascending order. NaN, with any sign, comes
/// last and may lose its payload; -0 and +0 may come in either order. T is f32 or i32. `workspace`
/// is aligned to 4 bytes and unused on host.
template <class T>
void sort(zl::Stream stream, T* y, const T* x, zl::u8* workspace, zl::i64 rows, zl::i64 cols);

/// Bytes of cub_sort()'s `workspace`: one group of rows once more, and a little.
constexpr zl::i64 cub_sort_workspace(zl::i64 rows, zl::i64 cols) {
  return (rows < 300 ? rows : 300) * cols * 4 + 4096;
}

/// The same by cub::DeviceSegmentedSort, CUDA only; negative NaNs come first.
template <class T>
void cub_sort(zl::Stream stream, T* y, const T* x, zl::u8* workspace, zl::i64 rows, zl::i64 cols);

}  // namespace ops
