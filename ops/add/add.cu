#include "add.hpp"
#include "shared/vector.cuh"
#include "zl/gpu.hpp"
#include "zl/registry.hpp"

namespace ops {
namespace {

constexpr int threads = 256;

template <class T, int Width, int Unroll>
__global__ void __launch_bounds__(threads)
    add_kernel(T* __restrict__ y, const T* __restrict__ a, const T* __restrict__ b, zl::i64 n) {
  const zl::i64 vectors = n / Width;
  const zl::i64 first = static_cast<zl::i64>(blockIdx.x) * (threads * Unroll) + threadIdx.x;
  float left[Unroll][Width];
  float right[Unroll][Width];
#pragma unroll
  for (int u = 0; u < Unroll; ++u) {
    const zl::i64 i = first + u * threads;
    if (i < vectors) {
      load(left[u], a + i * Width);
      load(right[u], b + i * Width);
    }
  }
#pragma unroll
  for (int u = 0; u < Unroll; ++u) {
    const zl::i64 i = first + u * threads;
    if (i < vectors) {
#pragma unroll
      for (int j = 0; j < Width; ++j) left[u][j] += right[u][j];
      store(y + i * Width, left[u]);
    }
  }
  if (Width > 1 && blockIdx.x == 0 && threadIdx.x < n % Width) {
    const zl::i64 i = vectors * Width + threadIdx.x;
    y[i] = narrow<T>(widen(a[i]) + widen(b[i]));
  }
}

template <class T, int Width, int Unroll>
void launch(zl::gpu::NativeStream stream, T* y, const T* a, const T* b, zl::i64 n) {
  constexpr zl::i64 tile = zl::i64{threads} * Unroll * Width;
  const auto blocks = static_cast<unsigned>((n + tile - 1) / tile);
  add_kernel<T, Width, Unroll><<<blocks, threads, 0, stream>>>(y, a, b, n);
  zl::gpu::check_launch("add_kernel");
}

}  // namespace

template <class T>
void add(zl::Stream stream, T* y, const T* a, const T* b, zl::i64 n) {
  if (n == 0) return;
  constexpr int width = full_width<T>;
  // Short vectors need every multiprocessor more than several loads a thread.
  constexpr zl::i64 few = zl::i64{1} << 20;
  if (!allows_vectors(0, y, a, b)) {
    launch<T, 1, 2>(stream, y, a, b, n);
  } else if (n < few) {
    launch<T, width, 1>(stream, y, a, b, n);
  } else {
    launch<T, width, 2>(stream, y, a, b, n);
  }
}

ZL_INSTANTIATE(add)

}  // namespace ops
