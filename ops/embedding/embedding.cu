#include <algorithm>

#include "embedding.hpp"
#include "shared/vector.cuh"
#include "zl/gpu.hpp"
#include "zl/registry.hpp"

namespace ops {
namespace {

constexpr int threads = 128;
constexpr int unroll = 4;

/// Block (t, c) copies part c of row index[t]; `row` is the row's length in words.
template <class Word>
__global__ void __launch_bounds__(threads)
    embedding_kernel(Word* __restrict__ y, const Word* __restrict__ table,
                     const zl::i64* __restrict__ index, zl::i64 row) {
  const Word* from = table + index[blockIdx.x] * row;
  Word* to = y + static_cast<zl::i64>(blockIdx.x) * row;
  for (zl::i64 part = blockIdx.y; part * (threads * unroll) < row; part += gridDim.y) {
    const zl::i64 first = part * (threads * unroll) + threadIdx.x;
    Word word[unroll];
#pragma unroll
    for (int u = 0; u < unroll; ++u) {
      if (first + u * threads < row) word[u] = from[first + u * threads];
    }
#pragma unroll
    for (int u = 0; u < unroll; ++u) {
      if (first + u * threads < row) to[first + u * threads] = word[u];
    }
  }
}

template <class Word, class T>
void launch(zl::gpu::NativeStream stream, T* y, const T* table, const zl::i64* index,
            zl::i64 tokens, zl::i64 row) {
  constexpr zl::i64 most_parts = 65535;
  const zl::i64 parts = (row + threads * unroll - 1) / (threads * unroll);
  const dim3 grid(static_cast<unsigned>(tokens),
                  static_cast<unsigned>(std::min(parts, most_parts)));
  embedding_kernel<<<grid, threads, 0, stream>>>(reinterpret_cast<Word*>(y),
                                                 reinterpret_cast<const Word*>(table), index, row);
  zl::gpu::check_launch("embedding_kernel");
}

}  // namespace

template <class T>
void embedding(zl::Stream stream, T* y, const T* table, const zl::i64* index, zl::i64 tokens,
               zl::i64 dim) {
  if (tokens == 0 || dim == 0) return;
  constexpr int width = full_width<T>;
  if (allows_vectors(dim * static_cast<zl::i64>(sizeof(T)), y, table)) {
    launch<uint4>(stream, y, table, index, tokens, dim / width);
  } else if constexpr (sizeof(T) == 2) {
    launch<std::uint16_t>(stream, y, table, index, tokens, dim);
  } else {
    launch<std::uint32_t>(stream, y, table, index, tokens, dim);
  }
}

ZL_INSTANTIATE(embedding)

}  // namespace ops
