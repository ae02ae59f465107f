#pragma once

#include "zl/stream.hpp"
#include "zl/types.hpp"

namespace ops {

/// y[t][d] = sum over e < k of x[t][e][d]: the outputs of a token's k experts joined, for `tokens`
/// tokens of `dim` elements. Summed in binary32 in the order of e, rounded once; 0 for k = 0.
template <class T>
void moe_sum(zl::Stream stream, T* y, const T* x, zl::i64 tokens, zl::i64 k, zl::i64 dim);

}  // namespace ops
