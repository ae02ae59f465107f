#pragma once

#include <algorithm>
#include <vector>

#include "zl/types.hpp"

namespace ops {
namespace host_blocks {

inline constexpr zl::i64 block_n = 256;  // a block of b in binary32 is 128 KiB: it stays in L2
inline constexpr zl::i64 block_k = 128;

/// c_block[m][width] += a[m][k0, k0 + depth) b[k0, k0 + depth)[n0, n0 + width), b_block packed.
template <class T>
void add_block(float* c_block, const T* a, const float* b_block, zl::i64 m, zl::i64 k, zl::i64 k0,
               zl::i64 depth, zl::i64 width) {
  for (zl::i64 i = 0; i < m; ++i) {
    float* const out = c_block + i * width;
    for (zl::i64 p = 0; p < depth; ++p) {
      const auto left = static_cast<float>(zl::to_double(a[i * k + k0 + p]));
      const float* const right = b_block + p * width;
      for (zl::i64 j = 0; j < width; ++j) out[j] += left * right[j];
    }
  }
}

}  // namespace host_blocks

/// c = a b on the CPU, row-major, summed in binary32.
template <class T>
void host_product(T* c, const T* a, const T* b, zl::i64 m, zl::i64 n, zl::i64 k) {
  using namespace host_blocks;
  std::vector<float> b_block(static_cast<std::size_t>(block_n * block_k));
  std::vector<float> c_block(static_cast<std::size_t>(m * block_n));
  for (zl::i64 n0 = 0; n0 < n; n0 += block_n) {
    const zl::i64 width = std::min(block_n, n - n0);
    std::fill(c_block.begin(), c_block.end(), 0.0f);
    for (zl::i64 k0 = 0; k0 < k; k0 += block_k) {
      const zl::i64 depth = std::min(block_k, k - k0);
      for (zl::i64 p = 0; p < depth; ++p) {
        for (zl::i64 j = 0; j < width; ++j) {
          b_block[p * width + j] = static_cast<float>(zl::to_double(b[(k0 + p) * n + n0 + j]));
        }
      }
      add_block(c_block.data(), a, b_block.data(), m, k, k0, depth, width);
    }
    for (zl::i64 i = 0; i < m; ++i) {
      for (zl::i64 j = 0; j < width; ++j) {
        c[i * n + n0 + j] = zl::from_float<T>(c_block[i * width + j]);
      }
    }
  }
}

}  // namespace ops
