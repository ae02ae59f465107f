#include <algorithm>

#include "shared/vector.cuh"
#include "silu_and_mul.hpp"
#include "zl/gpu.hpp"
#include "zl/registry.hpp"

namespace ops {
namespace {

constexpr int threads = 256;

/// The quick functions are good to 2^-20 for gates of ordinary size, which is nothing to a 16-bit
/// result, and give 0 for gates below -87.
template <class T>
__device__ float silu(float v) {
  if constexpr (sizeof(T) == 2) {
    return __fdividef(v, 1.0f + __expf(-v));
  } else {
    return v / (1.0f + expf(-v));
  }
}

/// Block (r, p) takes parts p, p + gridDim.y, ... of row r, Unroll accesses a thread each.
template <class T, int Width, int Unroll>
__global__ void __launch_bounds__(threads)
    silu_and_mul_kernel(T* __restrict__ y, const T* __restrict__ x, zl::i64 cols) {
  constexpr zl::i64 part = zl::i64{threads} * Unroll * Width;
  const T* const gate = x + static_cast<zl::i64>(blockIdx.x) * 2 * cols;
  const T* const up = gate + cols;
  T* const to = y + static_cast<zl::i64>(blockIdx.x) * cols;
  for (zl::i64 start = blockIdx.y * part; start < cols; start += gridDim.y * part) {
    const zl::i64 first = start + static_cast<zl::i64>(threadIdx.x) * Width;
    float left[Unroll][Width];
    float right[Unroll][Width];
#pragma unroll
    for (int u = 0; u < Unroll; ++u) {
      const zl::i64 j = first + u * threads * Width;
      if (j < cols) {
        load(left[u], gate + j);
        load(right[u], up + j);
      }
    }
#pragma unroll
    for (int u = 0; u < Unroll; ++u) {
      const zl::i64 j = first + u * threads * Width;
      if (j < cols) {
#pragma unroll
        for (int i = 0; i < Width; ++i) left[u][i] = silu<T>(left[u][i]) * right[u][i];
        store(to + j, left[u]);
      }
    }
  }
}

template <class T, int Width, int Unroll>
void launch(zl::gpu::NativeStream stream, T* y, const T* x, zl::i64 rows, zl::i64 cols) {
  constexpr zl::i64 part = zl::i64{threads} * Unroll * Width;
  constexpr zl::i64 most_parts = 65535;
  const dim3 grid(static_cast<unsigned>(rows),
                  static_cast<unsigned>(std::min((cols + part - 1) / part, most_parts)));
  silu_and_mul_kernel<T, Width, Unroll><<<grid, threads, 0, stream>>>(y, x, cols);
  zl::gpu::check_launch("silu_and_mul_kernel");
}

}  // namespace

template <class T>
void silu_and_mul(zl::Stream stream, T* y, const T* x, zl::i64 rows, zl::i64 cols) {
  if (rows == 0 || cols == 0) return;
  // Few elements need every multiprocessor more than several loads a thread.
  constexpr zl::i64 few = zl::i64{1} << 20;
  if (!allows_vectors(cols * static_cast<zl::i64>(sizeof(T)), y, x)) {
    launch<T, 1, 2>(stream, y, x, rows, cols);
  } else if (rows * cols < few) {
    launch<T, full_width<T>, 1>(stream, y, x, rows, cols);
  } else {
    launch<T, full_width<T>, 2>(stream, y, x, rows, cols);
  }
}

ZL_INSTANTIATE(silu_and_mul)

}  // namespace ops
