#pragma once

#include <type_traits>

#include "shared/block_reduce.cuh"
#include "shared/row_parts.hpp"
#include "shared/vector.cuh"
#include "zl/gpu.hpp"

namespace ops {

/// What elements of a type are summed in: binary32, or words that wrap.
template <class T>
using Accumulator = std::conditional_t<std::is_same_v<T, zl::i32>, std::uint32_t, float>;

struct Add {
  template <class V>
  __device__ V operator()(V a, V b) const {
    return a + b;
  }
};

namespace row_sum_detail {

inline constexpr int most_threads = 256;
inline constexpr int unroll = 4;

/// A sum as it is written: a partial one as it is, the last one rounded.
template <class Out, class Sum>
__device__ Out written(Sum sum) {
  if constexpr (std::is_same_v<Out, Sum>) {
    return sum;
  } else {
    return narrow<Out>(sum);
  }
}

/// What this thread adds up of `count` elements, which blockDim.x threads share.
template <int Width, class In>
__device__ Accumulator<In> thread_sum(const In* from, zl::i64 count) {
  using Sum = Accumulator<In>;
  const int step = static_cast<int>(blockDim.x) * Width;
  Sum sum[Width] = {};
  zl::i64 j = static_cast<zl::i64>(threadIdx.x) * Width;
  for (; j + (unroll - 1) * step < count; j += unroll * step) {
    Sum value[unroll][Width];
#pragma unroll
    for (int u = 0; u < unroll; ++u) load(value[u], from + j + u * step);
#pragma unroll
    for (int u = 0; u < unroll; ++u) {
#pragma unroll
      for (int i = 0; i < Width; ++i) sum[i] += value[u][i];
    }
  }
  for (; j < count; j += step) {
    Sum value[Width];
    load(value, from + j);
#pragma unroll
    for (int i = 0; i < Width; ++i) sum[i] += value[i];
  }
#pragma unroll
  for (int half = Width / 2; half > 0; half /= 2) {
#pragma unroll
    for (int i = 0; i < half; ++i) sum[i] += sum[i + half];
  }
  return sum[0];
}

/// Block (r, p) sums part p of row r.
template <int Width, class Out, class In>
__global__ void __launch_bounds__(most_threads)
    block_kernel(Out* y, const In* x, zl::i64 cols, zl::i64 part) {
  __shared__ Accumulator<In> scratch[32];
  const zl::i64 first = blockIdx.y * part;
  const In* const from = x + static_cast<zl::i64>(blockIdx.x) * cols + first;
  auto sum = thread_sum<Width>(from, min(part, cols - first));
  sum = block_reduce(sum, Add{}, Accumulator<In>{}, scratch);
  if (threadIdx.x == 0) {
    y[static_cast<zl::i64>(blockIdx.x) * gridDim.y + blockIdx.y] = written<Out>(sum);
  }
}

/// Short rows: one a warp, threadIdx.y of them a block.
template <int Width, class Out, class In>
__global__ void __launch_bounds__(most_threads)
    warp_kernel(Out* y, const In* x, zl::i64 rows, zl::i64 cols) {
  const zl::i64 row = static_cast<zl::i64>(blockIdx.x) * blockDim.y + threadIdx.y;
  if (row >= rows) return;  // the whole warp
  auto sum = thread_sum<Width>(x + row * cols, cols);
  for (int mask = 16; mask > 0; mask /= 2) sum += shuffle_xor(sum, mask);
  if (threadIdx.x == 0) y[row] = written<Out>(sum);
}

template <int Width, class Out, class In>
void launch(zl::gpu::NativeStream stream, Out* y, const In* x, zl::i64 rows, zl::i64 cols,
            RowParts parts) {
  constexpr zl::i64 per_warp = zl::i64{32} * unroll * Width;
  if (parts.count == 1 && cols <= per_warp) {
    const unsigned warps = rows < 2048 ? 1 : 8;
    const auto blocks = static_cast<unsigned>((rows + warps - 1) / warps);
    warp_kernel<Width><<<blocks, dim3(32, warps), 0, stream>>>(y, x, rows, cols);
  } else {
    const zl::i64 warps = std::min((parts.length + per_warp - 1) / per_warp, zl::i64{8});
    const dim3 grid(static_cast<unsigned>(rows), static_cast<unsigned>(parts.count));
    block_kernel<Width>
        <<<grid, static_cast<unsigned>(32 * warps), 0, stream>>>(y, x, cols, parts.length);
  }
  zl::gpu::check_launch("row_sum kernel");
}

}  // namespace row_sum_detail

/// Enqueues y[r][p] = the sum of part p of row r of x, for `rows` rows of `cols` elements. Out is
/// Accumulator<In>, or a type that the sum is rounded to. The order of the additions depends on the
/// shape and on the pointer's alignment alone.
template <class Out, class In>
void enqueue_row_sums(zl::gpu::NativeStream stream, Out* y, const In* x, zl::i64 rows, zl::i64 cols,
                      RowParts parts) {
  if (allows_vectors(cols * static_cast<zl::i64>(sizeof(In)), x)) {
    row_sum_detail::launch<full_width<In>>(stream, y, x, rows, cols, parts);
  } else {
    row_sum_detail::launch<1>(stream, y, x, rows, cols, parts);
  }
}

}  // namespace ops
