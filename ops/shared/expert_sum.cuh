#pragma once

#include <algorithm>
#include <type_traits>

#include "shared/vector.cuh"
#include "zl/gpu.hpp"

namespace ops {

/// Where the outputs of the tokens' experts are: pair p = token * k + choice has its in row
/// place[p], to be multiplied by weight[p]. Without `place` they are in the pairs' order and count
/// once.
template <class T>
struct ExpertOutputs {
  const T* x;
  const zl::i32* place = nullptr;
  const float* weight = nullptr;
};

inline constexpr int most_expert_sum_threads = 256;

/// Adds Count experts' elements, whose loads are all in flight at once: of the rows from `from` on,
/// or if Placed of its rows place[0], place[1], ..., each times its weight.
template <int Count, bool Placed, class T, int Width>
__device__ void add_experts(float (&sum)[Width], const T* from, const zl::i32* place,
                            const float* weight, zl::i64 dim) {
  float value[Count][Width];
#pragma unroll
  for (int i = 0; i < Count; ++i) load(value[i], from + (Placed ? zl::i64{place[i]} : i) * dim);
#pragma unroll
  for (int i = 0; i < Count; ++i) {
    const float factor = Placed ? weight[i] : 1.0f;
#pragma unroll
    for (int w = 0; w < Width; ++w) sum[w] += factor * value[i][w];
  }
}

/// Block (t, c) sums parts c, c + gridDim.y, ... of token t, an access of Width elements a thread.
template <int Width, bool Placed, class T>
__global__ void __launch_bounds__(most_expert_sum_threads)
    expert_sum_kernel(T* __restrict__ y, const T* __restrict__ x, const zl::i32* __restrict__ place,
                      const float* __restrict__ weight, zl::i64 k, zl::i64 dim) {
  const zl::i64 pair = static_cast<zl::i64>(blockIdx.x) * k;
  const T* const from = Placed ? x : x + pair * dim;
  T* const to = y + static_cast<zl::i64>(blockIdx.x) * dim;
  const zl::i64 step = static_cast<zl::i64>(gridDim.y) * blockDim.x * Width;
  zl::i64 d = (static_cast<zl::i64>(blockIdx.y) * blockDim.x + threadIdx.x) * Width;
  for (; d < dim; d += step) {
    float sum[Width] = {};
    zl::i64 e = 0;
    const auto add = [&](auto count) {
      add_experts<decltype(count)::value, Placed>(sum, from + (Placed ? 0 : e * dim) + d,
                                                  place + pair + e, weight + pair + e, dim);
    };
    for (; e + 8 <= k; e += 8) add(std::integral_constant<int, 8>{});
    for (; e + 2 <= k; e += 2) add(std::integral_constant<int, 2>{});
    if (e < k) add(std::integral_constant<int, 1>{});
    store(to + d, sum);
  }
}

/// y[t][d] = sum of the k outputs of token t. Summed in binary32 in the order of the choices,
/// rounded once; 0 for k = 0.
template <class T>
void expert_sum(zl::gpu::NativeStream stream, T* y, ExpertOutputs<T> outputs, zl::i64 tokens,
                zl::i64 k, zl::i64 dim) {
  if (tokens == 0 || dim == 0) return;
  const auto launch = [&](auto* kernel, zl::i64 width) {
    constexpr zl::i64 most_parts = 65535;
    const zl::i64 accesses = (dim + width - 1) / width;
    // Few tokens: smaller blocks reach more multiprocessors.
    const zl::i64 most = tokens < 264 ? 64 : most_expert_sum_threads;
    const zl::i64 threads = std::min((accesses + 31) / 32 * 32, most);
    const zl::i64 parts = std::min((accesses + threads - 1) / threads, most_parts);
    const dim3 grid(static_cast<unsigned>(tokens), static_cast<unsigned>(parts));
    kernel<<<grid, static_cast<unsigned>(threads), 0, stream>>>(y, outputs.x, outputs.place,
                                                                outputs.weight, k, dim);
    zl::gpu::check_launch("expert_sum_kernel");
  };
  constexpr int full = full_width<T>;
  const bool wide = allows_vectors(dim * static_cast<zl::i64>(sizeof(T)), y, outputs.x);
  if (outputs.place != nullptr) {
    launch(wide ? expert_sum_kernel<full, true, T> : expert_sum_kernel<1, true, T>,
           wide ? full : 1);
  } else {
    launch(wide ? expert_sum_kernel<full, false, T> : expert_sum_kernel<1, false, T>,
           wide ? full : 1);
  }
}

}  // namespace ops
