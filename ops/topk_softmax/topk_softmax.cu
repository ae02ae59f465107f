#include "shared/block_reduce.cuh"
#include "shared/ordered.hpp"
#include "shared/vector.cuh"
#include "topk_softmax.hpp"
#include "zl/gpu.hpp"
#include "zl/registry.hpp"

namespace ops {
namespace {

constexpr int threads = 128;
constexpr int rows_per_block = threads / 32;

template <class T>
struct Arguments {
  float* weights;
  zl::i32* ids;
  const T* logits;
  zl::i64 tokens;
  int experts;
  int k;
};

/// The largest and the smallest number that any of 32 lanes has.
__device__ std::uint32_t largest_of(std::uint32_t value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  return __reduce_max_sync(0xFFFFFFFFu, value);
#else
  for (int mask = 16; mask > 0; mask /= 2) value = max(value, shuffle_xor(value, mask));
  return value;
#endif
}
__device__ std::uint32_t smallest_of(std::uint32_t value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  return __reduce_min_sync(0xFFFFFFFFu, value);
#else
  for (int mask = 16; mask > 0; mask /= 2) value = min(value, shuffle_xor(value, mask));
  return value;
#endif
}
__device__ float sum_of(float value) {
  for (int mask = 16; mask > 0; mask /= 2) value += shuffle_xor(value, mask);
  return value;
}

/// A logit in the order of values, and its expert. No logit is a NaN, so nothing is below 1.
struct Best {
  std::uint32_t logit = 0;
  std::uint32_t expert = 0xFFFFFFFFu;

  /// Experts come in ascending order: of equal logits the first one stays.
  __device__ void offer(std::uint32_t other, std::uint32_t number) {
    if (other > logit) {
      logit = other;
      expert = number;
    }
  }
  /// The best of 32 lanes.
  __device__ Best of_lanes() const {
    Best best;
    best.logit = largest_of(logit);
    best.expert = smallest_of(logit == best.logit ? expert : 0xFFFFFFFFu);
    return best;
  }
};

/// Lane j % 32 keeps result j, so that 32 of them are written at once.
struct Results {
  float weight = 0;
  zl::i32 id = 0;

  template <class T>
  __device__ void put(const Arguments<T>& args, zl::i64 row, int j, float value, Best best) {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    if (lane == j % 32) {
      weight = value;
      id = static_cast<zl::i32>(best.expert);
    }
    if (j % 32 != 31 && j != args.k - 1) return;
    const int at = j / 32 * 32 + lane;
    if (at > j) return;
    args.weights[row * args.k + at] = weight;
    args.ids[row * args.k + at] = id;
  }
};

/// 32 lanes hold the logits of a token, `Vectors` accesses of `Width` each, and take the best k
/// times.
template <class T, int Width, int Vectors>
__global__ void __launch_bounds__(threads) resident_kernel(Arguments<T> args) {
  const zl::i64 row = static_cast<zl::i64>(blockIdx.x) * rows_per_block + threadIdx.x / 32;
  if (row >= args.tokens) return;  // all 32 lanes do
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const T* const from = args.logits + row * args.experts;
  float value[Vectors][Width];
#pragma unroll
  for (int v = 0; v < Vectors; ++v) {
    const int first = (v * 32 + lane) * Width;
    if (first < args.experts) load(value[v], from + first);
  }
  std::uint32_t logit[Vectors][Width];
  Best mine;
#pragma unroll
  for (int v = 0; v < Vectors; ++v) {
    const int first = (v * 32 + lane) * Width;
#pragma unroll
    for (int i = 0; i < Width; ++i) {
      logit[v][i] = first < args.experts ? to_ordered(value[v][i]) : 0;
      mine.offer(logit[v][i], static_cast<std::uint32_t>(first + i));
    }
  }
  Best best = mine.of_lanes();
  const float largest = from_ordered<float>(best.logit);
  float sum = 0;
#pragma unroll
  for (int v = 0; v < Vectors; ++v) {
    if ((v * 32 + lane) * Width < args.experts) {
#pragma unroll
      for (int i = 0; i < Width; ++i) sum += expf(value[v][i] - largest);
    }
  }
  const float scale = 1 / sum_of(sum);
  Results results;
  for (int j = 0; j < args.k; ++j) {
    if (j > 0) best = mine.of_lanes();
    results.put(args, row, j, expf(from_ordered<float>(best.logit) - largest) * scale, best);
    if (mine.expert != best.expert) continue;
    mine = {};
#pragma unroll
    for (int v = 0; v < Vectors; ++v) {
#pragma unroll
      for (int i = 0; i < Width; ++i) {
        const auto expert = static_cast<std::uint32_t>((v * 32 + lane) * Width + i);
        if (expert == best.expert) logit[v][i] = 0;
        mine.offer(logit[v][i], expert);
      }
    }
  }
}

/// More experts than 32 lanes hold: each of the k passes over the logits finds the best one of
/// those behind the last one.
template <class T>
__global__ void __launch_bounds__(threads) many_experts_kernel(Arguments<T> args) {
  const zl::i64 row = static_cast<zl::i64>(blockIdx.x) * rows_per_block + threadIdx.x / 32;
  if (row >= args.tokens) return;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const T* const from = args.logits + row * args.experts;
  float largest = 0;
  float scale = 0;
  Best last;
  Results results;
  for (int j = 0; j < args.k; ++j) {
    Best mine;
    for (int e = lane; e < args.experts; e += 32) {
      const std::uint32_t logit = to_ordered(widen(from[e]));
      const auto expert = static_cast<std::uint32_t>(e);
      const bool taken =
          j > 0 && (logit > last.logit || (logit == last.logit && expert <= last.expert));
      if (!taken) mine.offer(logit, expert);
    }
    last = mine.of_lanes();
    const float value = from_ordered<float>(last.logit);
    if (j == 0) {
      largest = value;
      float sum = 0;
      for (int e = lane; e < args.experts; e += 32) sum += expf(widen(from[e]) - largest);
      scale = 1 / sum_of(sum);
    }
    results.put(args, row, j, expf(value - largest) * scale, last);
  }
}

template <class T>
using Kernel = void (*)(Arguments<T>);

template <class T>
Kernel<T> kernel_for(const Arguments<T>& args) {
  constexpr int width = full_width<T>;
  constexpr int most = 512;  // sixteen a lane
  const zl::i64 row_bytes = args.experts * static_cast<zl::i64>(sizeof(T));
  if (args.experts > most) return many_experts_kernel<T>;
  if (!allows_vectors(row_bytes, args.logits)) {
    if (args.experts <= 128) return resident_kernel<T, 1, 4>;
    return resident_kernel<T, 1, 16>;
  }
  if (args.experts <= 32 * width) return resident_kernel<T, width, 1>;
  if (args.experts <= 64 * width) return resident_kernel<T, width, 2>;
  return resident_kernel<T, width, most / (32 * width)>;
}

}  // namespace

template <class T>
void topk_softmax(zl::Stream stream, float* weights, zl::i32* ids, const T* logits, zl::i64 tokens,
                  zl::i64 experts, zl::i64 k) {
  if (tokens == 0 || k == 0) return;
  const Arguments<T> args{
      weights, ids, logits, tokens, static_cast<int>(experts), static_cast<int>(k)};
  const auto blocks = static_cast<unsigned>((tokens + rows_per_block - 1) / rows_per_block);
  kernel_for(args)<<<blocks, threads, 0, zl::gpu::NativeStream(stream)>>>(args);
  zl::gpu::check_launch("topk_softmax kernel");
}

ZL_INSTANTIATE(topk_softmax)

}  // namespace ops
