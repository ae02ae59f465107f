#pragma once

#include "shared/row_parts.hpp"
#include "zl/stream.hpp"
#include "zl/types.hpp"

namespace ops {

/// Bytes of `workspace` below: a sum in binary32 for each part of each row.
constexpr zl::i64 sum_workspace(zl::i64 rows, zl::i64 cols) {
  return rows * row_parts(rows, cols).count * 4;
}

/// y[r] = sum over j of x[r][j] for `rows` rows of `cols` elements; 0 for rows without elements.
/// Summed in binary32, rounded once, in an order that only shape and alignment decide. `workspace`
/// is aligned to 4 bytes.
template <class T>
void sum(zl::Stream stream, T* y, const T* x, zl::u8* workspace, zl::i64 rows, zl::i64 cols);

/// Bytes of cub_sum()'s `workspace`; it needs almost none.
inline constexpr zl::i64 cub_sum_workspace = 4096;

/// The same by CUB's segmented reduction, CUDA only. Fewer than 2^31 rows.
template <class T>
void cub_sum(zl::Stream stream, T* y, const T* x, zl::u8* workspace, zl::i64 rows, zl::i64 cols);

}  // namespace ops
