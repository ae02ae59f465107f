#pragma once

#include "zl/stream.hpp"
#include "zl/types.hpp"

namespace ops {

inline constexpr zl::i64 fp8_block = 128;  ///< elements along k, and along n, of one scale

constexpr zl::i64 fp8_blocks(zl::i64 extent) { return (extent + fp8_block - 1) / fp8_block; }

/// c[i][j] = sum over blocks g of a_scale[g][i] w_scale[j / 128][g] sum over p in g of
/// a[i][p] w[j][p], g the blocks of 128 of k: a[m][k] are activations quantized by token and group,
/// w[n][k] weights quantized by 128 x 128 blocks. The activations' scales are stored by group,
/// a_scale[k / 128][m], as cuBLASLt and DeepGEMM take them; w_scale[n / 128][k / 128]. Both extents
/// of scales are rounded up. The inner sum is what the chip's 8-bit products give, the outer one is
/// in binary32.
template <class A, class W, class C>
void w8a8_block_fp8_mm(zl::Stream stream, C* c, const A* a, const W* w, const float* a_scale,
                       const float* w_scale, zl::i64 m, zl::i64 n, zl::i64 k);

}  // namespace ops
