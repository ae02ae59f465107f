#include <algorithm>

#include "cross_entropy.hpp"
#include "shared/block_reduce.cuh"
#include "shared/exp_sum.cuh"
#include "shared/vector.cuh"
#include "zl/gpu.hpp"
#include "zl/registry.hpp"

namespace ops {
namespace {

constexpr int most_threads = 512;
constexpr int unroll = 4;

/// 2^x, to 0 where that is subnormal: terms of a sum that is at least 1.
__device__ float exp2_flushed(float x) {
#ifndef ZL_BACKEND_MUSA
  float y;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
#else
  return exp2f(x);
#endif
}

/// Joins `value`, of which some may be -inf in place of nothing, to `part`.
template <int Width>
__device__ void add(Partial& part, const float (&value)[unroll][Width]) {
  constexpr float log2_e = 1.44269504f;
  float maximum = part.maximum;
#pragma unroll
  for (int u = 0; u < unroll; ++u) {
#pragma unroll
    for (int i = 0; i < Width; ++i) maximum = fmaxf(maximum, value[u][i]);
  }
  // Only -inf so far: exp(-inf - 0) is 0, exp(-inf - -inf) would be NaN.
  const float base = maximum == nothing().maximum ? 0.0f : maximum;
  // No fused multiply-add of base * log2_e, which large logits would round off.
  float sum = part.sum * exp2_flushed((part.maximum - base) * log2_e);
#pragma unroll
  for (int u = 0; u < unroll; ++u) {
#pragma unroll
    for (int i = 0; i < Width; ++i) sum += exp2_flushed((value[u][i] - base) * log2_e);
  }
  part = {maximum, sum};
}

/// A row a block: one pass, the sum rescaled whenever the maximum grows.
template <class T, int Width>
__global__ void __launch_bounds__(most_threads)
    cross_entropy_kernel(T* loss, const T* x, const zl::i64* target, zl::i64 classes) {
  __shared__ Partial scratch[32];
  const T* const row = x + static_cast<zl::i64>(blockIdx.x) * classes;
  float wanted = 0;
  if (threadIdx.x == 0) wanted = widen(row[target[blockIdx.x]]);
  const int step = static_cast<int>(blockDim.x) * Width;
  Partial part = nothing();
  for (zl::i64 c = static_cast<zl::i64>(threadIdx.x) * Width; c < classes; c += step * unroll) {
    float value[unroll][Width];
#pragma unroll
    for (int u = 0; u < unroll; ++u) {
#pragma unroll
      for (int i = 0; i < Width; ++i) value[u][i] = nothing().maximum;
      if (c + u * step < classes) load(value[u], row + c + u * step);
    }
    add(part, value);
  }
  part = block_reduce(part, Merge{}, nothing(), scratch);
  if (threadIdx.x == 0) {
    loss[blockIdx.x] = narrow<T>(part.maximum - wanted + logf(part.sum));
  }
}

template <class T, int Width>
void launch(zl::gpu::NativeStream stream, T* loss, const T* x, const zl::i64* target, zl::i64 rows,
            zl::i64 classes) {
  constexpr zl::i64 per_warp = zl::i64{32} * unroll * Width;
  // Few rows: more threads for each.
  const zl::i64 most_warps = rows < 264 ? most_threads / 32 : 8;
  const zl::i64 warps = std::min((classes + per_warp - 1) / per_warp, most_warps);
  cross_entropy_kernel<T, Width>
      <<<static_cast<unsigned>(rows), static_cast<unsigned>(32 * warps), 0, stream>>>(
          loss, x, target, classes);
  zl::gpu::check_launch("cross_entropy_kernel");
}

}  // namespace

template <class T>
void cross_entropy(zl::Stream stream, T* loss, const T* x, const zl::i64* target, zl::i64 rows,
                   zl::i64 classes) {
  if (rows == 0) return;
  if (allows_vectors(classes * static_cast<zl::i64>(sizeof(T)), x)) {
    launch<T, full_width<T>>(stream, loss, x, target, rows, classes);
  } else {
    launch<T, 1>(stream, loss, x, target, rows, classes);
  }
}

ZL_INSTANTIATE(cross_entropy)

}  // namespace ops
