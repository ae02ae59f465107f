#include "dropout.hpp"
#include "shared/vector.cuh"
#include "zl/gpu.hpp"
#include "zl/registry.hpp"

namespace ops {
namespace {

constexpr int threads = 256;

template <class T>
struct Arguments {
  T* y;
  zl::u8* mask;
  const T* x;
  zl::Philox draws;
  float p;
  float scale;
  zl::i64 n;
};

template <class T>
__device__ void drop_one(const Arguments<T>& args, zl::i64 i) {
  const auto block = zl::draw(args.draws, static_cast<std::uint64_t>(i / 4));
  const int j = static_cast<int>(i % 4);
  // A run-time index would move the block to local memory.
  const std::uint32_t low = j == 0 ? block.word[0] : block.word[1];
  const std::uint32_t high = j == 2 ? block.word[2] : block.word[3];
  const bool keep = zl::to_uniform(j < 2 ? low : high) >= args.p;
  args.mask[i] = keep ? 1 : 0;
  args.y[i] = narrow<T>(keep ? widen(args.x[i]) * args.scale : 0.0f);
}

/// Draws for `values`, the elements from 4 `block` on, and writes their mask in one access.
template <int Width>
__device__ void drop(float (&values)[Width], zl::u8* mask, std::uint64_t block,
                     const zl::Philox& draws, float p, float scale) {
  std::uint32_t kept[Width / 4] = {};
#pragma unroll
  for (int b = 0; b < Width / 4; ++b) {
    const auto drawn = zl::draw(draws, block + b);
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      const bool keep = zl::to_uniform(drawn.word[j]) >= p;
      kept[b] |= (keep ? 1u : 0u) << (8 * j);
      values[4 * b + j] = keep ? values[4 * b + j] * scale : 0.0f;
    }
  }
  if constexpr (Width == 4) {
    *reinterpret_cast<std::uint32_t*>(mask) = kept[0];
  } else {
    *reinterpret_cast<uint2*>(mask) = make_uint2(kept[0], kept[1]);
  }
}

template <class T, int Unroll>
__global__ void __launch_bounds__(threads) dropout_kernel(Arguments<T> args) {
  constexpr int width = full_width<T>;
  const zl::i64 vectors = args.n / width;
  const zl::i64 first = static_cast<zl::i64>(blockIdx.x) * (threads * Unroll) + threadIdx.x;
  float values[Unroll][width];
#pragma unroll
  for (int u = 0; u < Unroll; ++u) {
    const zl::i64 i = first + u * threads;
    if (i < vectors) load(values[u], args.x + i * width);
  }
#pragma unroll
  for (int u = 0; u < Unroll; ++u) {
    const zl::i64 i = first + u * threads;
    if (i < vectors) {
      drop(values[u], args.mask + i * width, static_cast<std::uint64_t>(i) * (width / 4),
           args.draws, args.p, args.scale);
      store(args.y + i * width, values[u]);
    }
  }
  if (blockIdx.x == 0 && threadIdx.x < args.n % width) {
    drop_one(args, vectors * width + threadIdx.x);
  }
}

template <class T>
__global__ void __launch_bounds__(threads) dropout_unaligned_kernel(Arguments<T> args) {
  const zl::i64 i = static_cast<zl::i64>(blockIdx.x) * threads + threadIdx.x;
  if (i < args.n) drop_one(args, i);
}

unsigned blocks_for(zl::i64 n, zl::i64 tile) {
  return static_cast<unsigned>((n + tile - 1) / tile);
}

}  // namespace

template <class T>
void dropout(zl::Stream stream, T* y, zl::u8* mask, const T* x, zl::Philox draws, double p,
             zl::i64 n) {
  if (n == 0) return;
  constexpr zl::i64 tile = zl::i64{threads} * full_width<T>;
  constexpr zl::i64 few = zl::i64{1} << 20;
  const Arguments<T> args{y, mask, x, draws, static_cast<float>(p), static_cast<float>(1 / (1 - p)),
                          n};
  const zl::gpu::NativeStream on = stream;
  if (!allows_vectors(0, y, mask, x)) {
    dropout_unaligned_kernel<T><<<blocks_for(n, threads), threads, 0, on>>>(args);
  } else if (n < few) {
    dropout_kernel<T, 1><<<blocks_for(n, tile), threads, 0, on>>>(args);
  } else {
    dropout_kernel<T, 2><<<blocks_for(n, 2 * tile), threads, 0, on>>>(args);
  }
  zl::gpu::check_launch("dropout_kernel");
}

ZL_INSTANTIATE(dropout)

}  // namespace ops
