#pragma once

#include "shared/row_parts.hpp"
#include "zl/stream.hpp"
#include "zl/types.hpp"

namespace ops {

/// Bytes of `workspace` below: a sum of 4 bytes for each part of each row.
constexpr zl::i64 cumsum_workspace(zl::i64 rows, zl::i64 cols) {
  return rows * row_parts(rows, cols).count * 4;
}

/// y[r][j] = x[r][0] + ... + x[r][j] for `rows` rows of `cols` elements. Floats are summed in
/// binary32, each result rounded once, in an order that only shape and alignment decide; integers
/// modulo 2^32. An infinity or NaN leaves what is before it as it is. `workspace` is aligned to
/// 4 bytes.
template <class T>
void cumsum(zl::Stream stream, T* y, const T* x, zl::u8* workspace, zl::i64 rows, zl::i64 cols);

/// Bytes of cub_cumsum()'s `workspace`: above what CUB keeps of each of its tiles, which are of
/// some thousand elements.
constexpr zl::i64 cub_cumsum_workspace(zl::i64 rows, zl::i64 cols) {
  return (zl::i64{64} << 10) + rows * cols / 8;
}

/// The same by CUB's scan by key, the keys being the rows' numbers, CUDA only. Fewer than 2^32
/// elements. CUB's order of additions is not always the same.
template <class T>
void cub_cumsum(zl::Stream stream, T* y, const T* x, zl::u8* workspace, zl::i64 rows, zl::i64 cols);

}  // namespace ops
