#include "shared/bitonic.cuh"
#include "shared/ordered.hpp"
#include "shared/vector.cuh"
#include "topk.hpp"
#include "zl/gpu.hpp"
#include "zl/registry.hpp"

namespace ops {
namespace {

constexpr int per_thread = 16;  ///< elements of a tile
constexpr int capacity = 2048;  ///< candidates; at least most_k and a block's threads
static_assert(capacity >= 2 * most_k);

/// An element and its place in one number, the larger the earlier it comes: the element in the
/// upper half, below it what is larger for smaller indices. No two of a row are equal, so that the
/// result does not depend on the order in which candidates are found. 0 is none.
using Key = unsigned long long;

__device__ Key key_of(std::uint32_t element, zl::i64 index) {
  return static_cast<Key>(element) << 32 | (0xFFFFFFFFu - static_cast<std::uint32_t>(index));
}

struct Candidates {
  Key key[capacity];
  int count;  ///< more than capacity where some did not fit
};

/// Sorts the candidates, the largest first, with none behind them.
__device__ void sort_candidates(Candidates& candidates, int least) {
  const int count = min(candidates.count, capacity);
  int padded = 1;
  while (padded < max(count, least)) padded *= 2;
  for (int i = count + static_cast<int>(threadIdx.x); i < padded;
       i += static_cast<int>(blockDim.x)) {
    candidates.key[i] = 0;
  }
  __syncthreads();
  bitonic_sort_descending(candidates.key, padded);
}

/// A row a block, read once in tiles. Elements larger than `bound`, which k elements are known to
/// reach, become candidates; where these run full, the best k of them stay and raise the bound.
template <class T, int Threads, int Width>
__global__ void __launch_bounds__(Threads)
    topk_kernel(T* values, zl::i64* indices, const T* x, zl::i64 cols, int k) {
  constexpr int vectors = per_thread / Width;
  constexpr zl::i64 tile = Threads * per_thread;
  static_assert(Threads <= capacity);
  __shared__ Candidates candidates;
  const T* const row = x + static_cast<zl::i64>(blockIdx.x) * cols;
  if (threadIdx.x == 0) candidates.count = 0;
  Key bound = 0;
  for (zl::i64 first = 0; first < cols; first += tile) {
    const zl::i64 mine = first + static_cast<zl::i64>(threadIdx.x) * Width;
    float value[vectors][Width];
#pragma unroll
    for (int v = 0; v < vectors; ++v) {
      if (mine + v * (Threads * Width) < cols) load(value[v], row + mine + v * (Threads * Width));
    }
    const auto key = [&](int v, int i) {
      return key_of(to_ordered(value[v][i]), mine + v * (Threads * Width) + i);
    };
    if (first == 0 && k <= Threads) {
      Key best = 0;
#pragma unroll
      for (int v = 0; v < vectors; ++v) {
        if (mine + v * (Threads * Width) >= cols) continue;
#pragma unroll
        for (int i = 0; i < Width; ++i) best = max(best, key(v, i));
      }
      // The k-th largest of the threads' largest elements is a bound that few of them reach.
      candidates.key[threadIdx.x] = best;
      __syncthreads();
      bitonic_sort_descending(candidates.key, Threads);
      bound = candidates.key[k - 1];
      bound = bound == 0 ? 0 : bound - 1;
    }
    if (first == 0) __syncthreads();  // the count is 0, and all have read the bound
    // The comparison of most elements, in binary32: what is not less may be larger or a NaN.
    const float limit = from_ordered<float>(static_cast<std::uint32_t>(bound >> 32));
    unsigned waiting = 0;  // a bit an element
#pragma unroll
    for (int v = 0; v < vectors; ++v) {
      if (mine + v * (Threads * Width) >= cols) continue;
#pragma unroll
      for (int i = 0; i < Width; ++i) {
        if (!(value[v][i] < limit)) waiting |= 1u << (v * Width + i);
      }
    }
    while (true) {
#pragma unroll
      for (int v = 0; v < vectors; ++v) {
        if (waiting == 0) break;
#pragma unroll
        for (int i = 0; i < Width; ++i) {
          const unsigned bit = 1u << (v * Width + i);
          if ((waiting & bit) == 0) continue;
          const Key candidate = key(v, i);
          const int place = candidate > bound ? atomicAdd(&candidates.count, 1) : 0;
          if (place >= capacity) continue;  // waits until there is room
          if (candidate > bound) candidates.key[place] = candidate;
          waiting &= ~bit;
        }
      }
      if (__syncthreads_or(waiting != 0) == 0) break;
      sort_candidates(candidates, capacity);
      bound = candidates.key[k - 1];
      if (threadIdx.x == 0) candidates.count = k;
      __syncthreads();
    }
  }
  sort_candidates(candidates, k);
  values += static_cast<zl::i64>(blockIdx.x) * k;
  indices += static_cast<zl::i64>(blockIdx.x) * k;
  for (int j = static_cast<int>(threadIdx.x); j < k; j += Threads) {
    const Key found = candidates.key[j];
    values[j] = narrow<T>(from_ordered<float>(static_cast<std::uint32_t>(found >> 32)));
    indices[j] = 0xFFFFFFFFu - static_cast<std::uint32_t>(found);
  }
}

template <class T, int Threads>
void launch(zl::gpu::NativeStream stream, T* values, zl::i64* indices, const T* x, zl::i64 rows,
            zl::i64 cols, int k) {
  const auto blocks = static_cast<unsigned>(rows);
  if (allows_vectors(cols * static_cast<zl::i64>(sizeof(T)), x)) {
    topk_kernel<T, Threads, full_width<T>>
        <<<blocks, Threads, 0, stream>>>(values, indices, x, cols, k);
  } else {
    topk_kernel<T, Threads, 1><<<blocks, Threads, 0, stream>>>(values, indices, x, cols, k);
  }
  zl::gpu::check_launch("topk_kernel");
}

}  // namespace

template <class T>
void topk(zl::Stream stream, T* values, zl::i64* indices, const T* x, zl::i64 rows, zl::i64 cols,
          zl::i64 k) {
  if (rows == 0 || k == 0) return;
  // A Hopper GPU's 132 multiprocessors hold eight small blocks each: with fewer rows than fill
  // them, long rows have more threads each.
  const bool large = rows < 600 && cols >= 8192;
  if (large) {
    launch<T, 1024>(stream, values, indices, x, rows, cols, static_cast<int>(k));
  } else {
    launch<T, 256>(stream, values, indices, x, rows, cols, static_cast<int>(k));
  }
}

ZL_INSTANTIATE(topk)

}  // namespace ops
