#pragma once

#include "zl/stream.hpp"
#include "zl/types.hpp"

namespace ops {

/// The largest k of the kernel.
inline constexpr zl::i64 most_k = 1024;

/// The k largest elements of each of `rows` rows of `cols` elements, largest first, and where they
/// are: values[r][j] = x[r][indices[r][j]]. Of equal elements those with smaller indices are taken
/// and come first; NaN counts as larger than infinity, -0 as smaller than +0. k <= cols, and on a
/// GPU k <= most_k. cols < 2^31.
template <class T>
void topk(zl::Stream stream, T* values, zl::i64* indices, const T* x, zl::i64 rows, zl::i64 cols,
          zl::i64 k);

/// Bytes of cub_topk()'s `workspace`: for a group of rows the sorted keys, the indices and the
/// sorted indices, and what CUB needs to sort them.
template <class T>
constexpr zl::i64 cub_topk_workspace(zl::i64 rows, zl::i64 cols) {
  const zl::i64 elements = (rows < 300 ? rows : 300) * cols;
  return elements * (2 * static_cast<zl::i64>(sizeof(T)) + 12) + 8192;
}

/// The same by CUB, CUDA only: all of each row sorted with its indices by cub::DeviceSegmentedSort,
/// of which the first k are copied. The CUB of CUDA 13.0 selects nothing within segments.
template <class T>
void cub_topk(zl::Stream stream, T* values, zl::i64* indices, const T* x, zl::u8* workspace,
              zl::i64 rows, zl::i64 cols, zl::i64 k);

}  // namespace ops
