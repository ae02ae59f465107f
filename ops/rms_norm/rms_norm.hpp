#pragma once

#include "zl/stream.hpp"
#include "zl/types.hpp"

namespace ops {

/// y[r][j] = x[r][j] / sqrt(mean over k of x[r][k]^2 + epsilon) * weight[j] for `rows` rows of
/// `cols` elements; `weight` has `cols`. Squares are summed in binary32, the result is rounded
/// once. A row with NaN becomes NaN; one with an infinity becomes NaN there and 0 elsewhere.
template <class T>
void rms_norm(zl::Stream stream, T* y, const T* x, const T* weight, double epsilon, zl::i64 rows,
              zl::i64 cols);

}  // namespace ops
