#include <algorithm>

#include "moe_sum.hpp"
#include "shared/vector.cuh"
#include "zl/gpu.hpp"
#include "zl/registry.hpp"

namespace ops {
namespace {

constexpr int most_threads = 256;

/// Adds Count experts' elements, whose loads are all in flight at once.
template <int Count, class T, int Width>
__device__ void add(float (&sum)[Width], const T* from, zl::i64 dim) {
  float value[Count][Width];
#pragma unroll
  for (int i = 0; i < Count; ++i) load(value[i], from + i * dim);
#pragma unroll
  for (int i = 0; i < Count; ++i) {
#pragma unroll
    for (int w = 0; w < Width; ++w) sum[w] += value[i][w];
  }
}

/// Block (t, c) sums parts c, c + gridDim.y, ... of token t, an access of Width elements a thread.
template <class T, int Width>
__global__ void __launch_bounds__(most_threads)
    moe_sum_kernel(T* __restrict__ y, const T* __restrict__ x, zl::i64 k, zl::i64 dim) {
  const T* const from = x + static_cast<zl::i64>(blockIdx.x) * k * dim;
  T* const to = y + static_cast<zl::i64>(blockIdx.x) * dim;
  const zl::i64 step = static_cast<zl::i64>(gridDim.y) * blockDim.x * Width;
  zl::i64 d = (static_cast<zl::i64>(blockIdx.y) * blockDim.x + threadIdx.x) * Width;
  for (; d < dim; d += step) {
    float sum[Width] = {};
    zl::i64 e = 0;
    for (; e + 8 <= k; e += 8) add<8>(sum, from + e * dim + d, dim);
    for (; e + 2 <= k; e += 2) add<2>(sum, from + e * dim + d, dim);
    if (e < k) add<1>(sum, from + e * dim + d, dim);
    store(to + d, sum);
  }
}

template <class T, int Width>
void launch(zl::gpu::NativeStream stream, T* y, const T* x, zl::i64 tokens, zl::i64 k,
            zl::i64 dim) {
  constexpr zl::i64 most_parts = 65535;
  const zl::i64 accesses = (dim + Width - 1) / Width;
  // Few tokens: smaller blocks reach more multiprocessors.
  const zl::i64 most = tokens < 264 ? 64 : most_threads;
  const zl::i64 threads = std::min((accesses + 31) / 32 * 32, most);
  const dim3 grid(static_cast<unsigned>(tokens),
                  static_cast<unsigned>(std::min((accesses + threads - 1) / threads, most_parts)));
  moe_sum_kernel<T, Width><<<grid, static_cast<unsigned>(threads), 0, stream>>>(y, x, k, dim);
  zl::gpu::check_launch("moe_sum_kernel");
}

}  // namespace

template <class T>
void moe_sum(zl::Stream stream, T* y, const T* x, zl::i64 tokens, zl::i64 k, zl::i64 dim) {
  if (tokens == 0 || dim == 0) return;
  if (allows_vectors(dim * static_cast<zl::i64>(sizeof(T)), y, x)) {
    launch<T, full_width<T>>(stream, y, x, tokens, k, dim);
  } else {
    launch<T, 1>(stream, y, x, tokens, k, dim);
  }
}

ZL_INSTANTIATE(moe_sum)

}  // namespace ops
