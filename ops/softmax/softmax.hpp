#pragma once

#include <functional>

#include "zl/case.hpp"

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

/// The same by cuDNN, where with_cudnn, for under 2^31 rows and columns. Its handle is made in the
/// first call, which must not be under capture. The library's version goes into the result.
template <class T>
std::function<void(const zl::Launch&)> cudnn_softmax(zl::Operand<T> y, zl::Operand<const T> x,
                                                     zl::i64 rows, zl::i64 cols);

}  // namespace ops
