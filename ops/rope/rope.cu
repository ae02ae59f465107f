#include <algorithm>

#include "rope.hpp"
#include "shared/vector.cuh"
#include "zl/gpu.hpp"
#include "zl/registry.hpp"

namespace ops {
namespace {

constexpr int threads = 256;

/// Width consecutive entries of a table, whose rows are read in 16-byte accesses where Width > 1.
template <int Width>
__device__ void load_table(float (&to)[Width], const float* from) {
  if constexpr (Width == 1) {
    to[0] = *from;
  } else {
#pragma unroll
    for (int i = 0; i < Width; i += 4) {
      const float4 four = *reinterpret_cast<const float4*>(from + i);
      to[i] = four.x;
      to[i + 1] = four.y;
      to[i + 2] = four.z;
      to[i + 3] = four.w;
    }
  }
}

/// Thread (x, y) of block (t, g) rotates the pairs that start at x * Width of heads y, y + all y
/// threads' of all blocks, ... of token t: the same pairs of each, so that it reads its angles
/// once.
template <class T, int Width>
__global__ void __launch_bounds__(threads)
    rope_kernel(T* x, const float* cosine, const float* sine, zl::i64 heads, zl::i64 half) {
  const zl::i64 token = blockIdx.x;
  const zl::i64 first_head = static_cast<zl::i64>(blockIdx.y) * blockDim.y + threadIdx.y;
  const zl::i64 head_step = static_cast<zl::i64>(gridDim.y) * blockDim.y;
  T* const row = x + token * heads * 2 * half;
  for (zl::i64 i = static_cast<zl::i64>(threadIdx.x) * Width; i < half; i += blockDim.x * Width) {
    float c[Width];
    float s[Width];
    load_table(c, cosine + token * half + i);
    load_table(s, sine + token * half + i);
    for (zl::i64 h = first_head; h < heads; h += head_step) {
      T* const at = row + h * 2 * half + i;
      float first[Width];
      float second[Width];
      load(first, at);
      load(second, at + half);
#pragma unroll
      for (int w = 0; w < Width; ++w) {
        const float turned = first[w] * c[w] - second[w] * s[w];
        second[w] = second[w] * c[w] + first[w] * s[w];
        first[w] = turned;
      }
      store(at, first);
      store(at + half, second);
    }
  }
}

template <class T, int Width>
void launch(zl::gpu::NativeStream stream, T* x, const float* cosine, const float* sine,
            zl::i64 tokens, zl::i64 heads, zl::i64 half) {
  const zl::i64 accesses = (half + Width - 1) / Width;
  unsigned across = 1;
  while (across < accesses && across < threads) across *= 2;
  const unsigned heads_a_block = threads / across;
  // A head a thread: the loads of all of them are in flight at once.
  constexpr zl::i64 most_blocks = 65535;
  const zl::i64 blocks = std::min((heads + heads_a_block - 1) / heads_a_block, most_blocks);
  const dim3 grid(static_cast<unsigned>(tokens), static_cast<unsigned>(blocks));
  const dim3 block(across, static_cast<unsigned>(std::min<zl::i64>(heads, heads_a_block)));
  rope_kernel<T, Width><<<grid, block, 0, stream>>>(x, cosine, sine, heads, half);
  zl::gpu::check_launch("rope_kernel");
}

}  // namespace

template <class T>
void rope(zl::Stream stream, T* x, const float* cosine, const float* sine, zl::i64 tokens,
          zl::i64 heads, zl::i64 dim) {
  const zl::i64 half = dim / 2;
  if (tokens == 0 || heads == 0 || half == 0) return;
  if (half % full_width<T> == 0 && allows_vectors(0, x, cosine, sine)) {
    launch<T, full_width<T>>(stream, x, cosine, sine, tokens, heads, half);
  } else {
    launch<T, 1>(stream, x, cosine, sine, tokens, heads, half);
  }
}

ZL_INSTANTIATE(rope)

}  // namespace ops
