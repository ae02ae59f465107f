#pragma once

#include "zl/stream.hpp"
#include "zl/types.hpp"

namespace ops {

/// The largest finite e4m3.
inline constexpr float largest_e4m3 = 448;
/// A group whose elements are all smaller than this is scaled as if its largest were.
inline constexpr float smallest_maximum = 1e-10f;

/// Quantizes each group of `group` consecutive elements of a token by its own scale:
///
///     scale[t][g] = max(|x| over the group, smallest_maximum) / largest_e4m3
///     q[t][i] = x[t][i] / scale[t][i / group]
///
/// x and q are [tokens][dim], scale [tokens][dim / group]; group divides dim. The quotients are
/// within +-448, so that q is rounded, never saturated. Inputs are finite.
template <class T, class Q>
void per_token_group_quant_fp8(zl::Stream stream, Q* q, float* scale, const T* x, zl::i64 tokens,
                               zl::i64 dim, zl::i64 group);

}  // namespace ops
