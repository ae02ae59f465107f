#pragma once

#include "shared/merge_path.hpp"
#include "shared/ordered.hpp"
#include "zl/gpu.hpp"
#include "zl/types.hpp"

namespace ops {

/// Sorts a thread's keys in its registers, by odd-even transposition.
template <int Items>
__device__ void sort_in_thread(std::uint32_t (&key)[Items]) {
#pragma unroll
  for (int round = 0; round < Items; ++round) {
#pragma unroll
    for (int i = round % 2; i + 1 < Items; i += 2) {
      const std::uint32_t low = min(key[i], key[i + 1]);
      key[i + 1] = max(key[i], key[i + 1]);
      key[i] = low;
    }
  }
}

/// What a block does with Threads * Items keys in shared memory. A thread's own keys are
/// consecutive ones.
template <int Threads, int Items>
struct MergeTile {
  static constexpr int keys = Threads * Items;
  /// A word is left out after each 32, so that threads whose keys are 8 or 16 apart use different
  /// banks.
  __device__ static int word(int key) { return key + key / 32; }
  static constexpr int words = keys + keys / 32;

  template <class T>
  __device__ static void read(std::uint32_t* tile, int first, const T* from, int count) {
    for (int i = static_cast<int>(threadIdx.x); i < count; i += Threads) {
      tile[word(first + i)] = to_ordered(from[i]);
    }
  }
  __device__ static void pad(std::uint32_t* tile, int first) {
    for (int i = first + static_cast<int>(threadIdx.x); i < keys; i += Threads) {
      tile[word(i)] = 0xFFFFFFFFu;
    }
  }
  template <class T>
  __device__ static void write(T* to, const std::uint32_t* tile, int count) {
    for (int i = static_cast<int>(threadIdx.x); i < count; i += Threads) {
      to[i] = from_ordered<T>(tile[word(i)]);
    }
  }
  __device__ static void take(std::uint32_t (&mine)[Items], const std::uint32_t* tile) {
#pragma unroll
    for (int i = 0; i < Items; ++i) {
      mine[i] = tile[word(static_cast<int>(threadIdx.x) * Items + i)];
    }
  }
  __device__ static void put(std::uint32_t* tile, const std::uint32_t (&mine)[Items]) {
#pragma unroll
    for (int i = 0; i < Items; ++i) {
      tile[word(static_cast<int>(threadIdx.x) * Items + i)] = mine[i];
    }
  }

  /// Elements [diagonal, diagonal + Items) of the merge of two neighbouring runs, the first of
  /// which begins at `start`.
  __device__ static void merge(std::uint32_t (&mine)[Items], const std::uint32_t* tile, int start,
                               int a_count, int b_count, int diagonal) {
    const int b_start = start + a_count;
    int a = merge_path([=](int i) { return tile[word(start + i)]; }, a_count,
                       [=](int i) { return tile[word(b_start + i)]; }, b_count, diagonal);
    int b = diagonal - a;
    std::uint32_t a_key = a < a_count ? tile[word(start + a)] : 0;
    std::uint32_t b_key = b < b_count ? tile[word(b_start + b)] : 0;
#pragma unroll
    for (int i = 0; i < Items; ++i) {
      const bool from_a = b >= b_count || (a < a_count && a_key <= b_key);
      mine[i] = from_a ? a_key : b_key;
      if (from_a) {
        ++a;
        if (a < a_count) a_key = tile[word(start + a)];
      } else {
        ++b;
        if (b < b_count) b_key = tile[word(b_start + b)];
      }
    }
  }
};

}  // namespace ops
