#pragma once

#include "zl/stream.hpp"
#include "zl/types.hpp"

namespace ops {

/// Rotary position embedding, in place, of x[t][h][d] for `tokens` tokens and `heads` heads of
/// `dim` elements, which is even: for i < dim / 2, with c = cosine[t][i] and s = sine[t][i],
///   x[t][h][i], x[t][h][i + dim / 2] = x[t][h][i] c - x[t][h][i + dim / 2] s,
///                                      x[t][h][i + dim / 2] c + x[t][h][i] s,
/// the pairs being the halves' as in GPT-NeoX. The tables have a row a token, that of its position,
/// in binary32. Computed in binary32, rounded once.
template <class T>
void rope(zl::Stream stream, T* x, const float* cosine, const float* sine, zl::i64 tokens,
          zl::i64 heads, zl::i64 dim);

}  // namespace ops
