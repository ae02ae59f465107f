#pragma once

#include "zl/stream.hpp"
#include "zl/types.hpp"

namespace ops {

/// y[r][j] = silu(x[r][j]) * x[r][cols + j] with silu(v) = v / (1 + exp(-v)), for `rows` rows: x
/// has 2 cols elements in each, the gate's and then the projection's, and y has cols. Computed in
/// binary32, rounded once. silu(-inf) is NaN, as the quotient says.
template <class T>
void silu_and_mul(zl::Stream stream, T* y, const T* x, zl::i64 rows, zl::i64 cols);

}  // namespace ops
