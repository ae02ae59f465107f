#pragma once

#include <algorithm>

#include "shared/vector.cuh"
#include "zl/gpu.hpp"

namespace ops {

inline constexpr int gather_threads = 128;
inline constexpr int gather_unroll = 4;

/// Block (r, p) copies parts p, p + gridDim.y, ... of row index[r]; `length` is a row's in words.
template <class Word, class Index>
__global__ void __launch_bounds__(gather_threads)
    gather_rows_kernel(Word* __restrict__ y, const Word* __restrict__ table,
                       const Index* __restrict__ index, zl::i64 length) {
  constexpr int part_words = gather_threads * gather_unroll;
  const Word* from = table + zl::i64{index[blockIdx.x]} * length;
  Word* to = y + static_cast<zl::i64>(blockIdx.x) * length;
  for (zl::i64 part = blockIdx.y; part * part_words < length; part += gridDim.y) {
    const zl::i64 first = part * part_words + threadIdx.x;
    Word word[gather_unroll];
#pragma unroll
    for (int u = 0; u < gather_unroll; ++u) {
      if (first + u * gather_threads < length) word[u] = from[first + u * gather_threads];
    }
#pragma unroll
    for (int u = 0; u < gather_unroll; ++u) {
      if (first + u * gather_threads < length) to[first + u * gather_threads] = word[u];
    }
  }
}

/// y[r][d] = table[index[r]][d] for `rows` rows of `dim` elements, bit for bit.
template <class T, class Index>
void gather_rows(zl::gpu::NativeStream stream, T* y, const T* table, const Index* index,
                 zl::i64 rows, zl::i64 dim) {
  if (rows == 0 || dim == 0) return;
  const auto launch = [&](auto word, zl::i64 length) {
    using Word = decltype(word);
    constexpr zl::i64 most_parts = 65535;
    constexpr zl::i64 part_words = gather_threads * gather_unroll;
    const zl::i64 parts = (length + part_words - 1) / part_words;
    const dim3 grid(static_cast<unsigned>(rows),
                    static_cast<unsigned>(std::min(parts, most_parts)));
    gather_rows_kernel<<<grid, gather_threads, 0, stream>>>(
        reinterpret_cast<Word*>(y), reinterpret_cast<const Word*>(table), index, length);
    zl::gpu::check_launch("gather_rows_kernel");
  };
  if (allows_vectors(dim * static_cast<zl::i64>(sizeof(T)), y, table)) {
    launch(uint4{}, dim / full_width<T>);
  } else if constexpr (sizeof(T) == 2) {
    launch(std::uint16_t{}, dim);
  } else {
    launch(std::uint32_t{}, dim);
  }
}

}  // namespace ops
