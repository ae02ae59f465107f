#pragma once

#include "zl/stream.hpp"
#include "zl/types.hpp"

namespace ops {

/// Elements of a row that one block handles.
inline constexpr zl::i64 softmax_chunk = 8192;

/// Bytes of `workspace` below: a maximum and a sum in binary32 for each chunk of each row.
constexpr zl::i64 softmax_workspace(zl::i64 rows, zl::i64 cols) {
  return rows * ((cols + softmax_chunk - 1) / softmax_chunk) * 8;
}

/// y[r][j] = exp(x[r][j]) / sum over k of exp(x[r][k]), for `rows` rows of `cols` elements. A row
/// that holds NaN or +inf, or only -inf, becomes NaN. `workspace` is aligned to 8 bytes.
template <class T>
void softmax(zl::Stream stream, T* y, const T* x, zl::u8* workspace, zl::i64 rows, zl::i64 cols);

}  // namespace ops
