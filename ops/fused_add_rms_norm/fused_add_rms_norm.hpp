#pragma once

#include "zl/stream.hpp"
#include "zl/types.hpp"

namespace ops {

/// In place, for each of `rows` rows of `cols` elements: s = residual + x; residual = s;
/// x = s / sqrt(mean(s^2) + epsilon) * weight. `weight` has `cols` elements.
template <class T>
void fused_add_rms_norm(zl::Stream stream, T* x, T* residual, const T* weight, double epsilon,
                        zl::i64 rows, zl::i64 cols);

}  // namespace ops
