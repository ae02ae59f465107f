#pragma once

#include "zl/stream.hpp"
#include "zl/types.hpp"

namespace ops {

/// y[r][j] = (x[r][j] - m) / sqrt(v + epsilon) * weight[j] + bias[j] for `rows` rows of `cols`
/// elements, with m the row's mean and v the mean of its squared deviations from m; `weight` and
/// `bias` have `cols` elements. Computed in binary32, rounded once. A row that holds NaN or an
/// infinity becomes NaN.
template <class T>
void layer_norm(zl::Stream stream, T* y, const T* x, const T* weight, const T* bias, double epsilon,
                zl::i64 rows, zl::i64 cols);

}  // namespace ops
