#pragma once

#include "shared/block_reduce.cuh"
#include "shared/dtype.cuh"
#include "w8a8_block_fp8_mm.hpp"
#include "zl/float_bits.hpp"

namespace ops {

/// The arguments of one call of w8a8_block_fp8_mm().
struct Fp8Call {
  zl::bf16* c;
  const zl::e4m3* a;
  const zl::e4m3* w;
  const float* a_scale;
  const float* w_scale;
  int m, n, k;

  __device__ int groups() const { return (k + 127) / 128; }
};

inline constexpr int fp8_plain_columns = 4;  ///< of a block, 32 threads each
inline constexpr int fp8_plain_rows = 8;     ///< of a block

/// Without 8-bit matrix instructions: 32 threads share a column's k and multiply it with the
/// block's rows, each weight decoded once for all of them.
__global__ void __launch_bounds__(32 * fp8_plain_columns) plain_fp8_kernel(Fp8Call call) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int col = static_cast<int>(blockIdx.x * fp8_plain_columns + threadIdx.x / 32);
  const int row0 = static_cast<int>(blockIdx.y) * fp8_plain_rows;
  if (col >= call.n) return;
  float sum[fp8_plain_rows] = {};
  for (int g = 0; g < call.groups(); ++g) {
    const float w_scale = call.w_scale[zl::i64{col / 128} * call.groups() + g];
    const int first = 128 * g + 4 * lane;
    float right[4];
#pragma unroll
    for (int e = 0; e < 4; ++e) {
      const bool valid = first + e < call.k;
      right[e] = valid ? zl::bits::from_e4m3(call.w[zl::i64{col} * call.k + first + e].bits) : 0;
    }
#pragma unroll
    for (int r = 0; r < fp8_plain_rows; ++r) {
      const int row = row0 + r;
      if (row >= call.m) break;
      float part = 0;
#pragma unroll
      for (int e = 0; e < 4; ++e) {
        if (first + e >= call.k) continue;
        const zl::e4m3 left = call.a[zl::i64{row} * call.k + first + e];
        part = fmaf(zl::bits::from_e4m3(left.bits), right[e], part);
      }
      sum[r] = fmaf(part, call.a_scale[zl::i64{g} * call.m + row] * w_scale, sum[r]);
    }
  }
#pragma unroll
  for (int r = 0; r < fp8_plain_rows; ++r) {
    for (int mask = 16; mask > 0; mask /= 2) sum[r] += shuffle_xor(sum[r], mask);
    if (lane == 0 && row0 + r < call.m) {
      call.c[zl::i64{row0 + r} * call.n + col] = narrow<zl::bf16>(sum[r]);
    }
  }
}

}  // namespace ops
