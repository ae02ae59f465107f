#include "moe_align_block_size.hpp"
#include "zl/gpu.hpp"
#include "zl/registry.hpp"

namespace ops {
namespace {

// A chunk of pairs a block, a part of it a warp (32 lanes), `rounds` times 32 pairs.
constexpr int threads = 256;
constexpr int warps = threads / 32;
constexpr int rounds = 8;
constexpr int chunk = threads * rounds;

template <class I>
struct Arguments {
  I* sorted_ids;
  I* expert_ids;
  I* padded;
  const I* topk_ids;
  int* counts;  ///< [chunks][experts]: pairs; then the pairs of the expert in the chunks before
  int* starts;  ///< [experts]: the place where its list starts
  int pairs;
  int experts;
  int block;
  int places;
  int blocks;
  int chunks;
};

/// The number of pair `round` of this thread; pairs of a warp, and of a round, are consecutive.
__device__ int pair_of(int round) {
  return static_cast<int>(blockIdx.x) * chunk + static_cast<int>(threadIdx.x) / 32 * (32 * rounds) +
         round * 32 + static_cast<int>(threadIdx.x) % 32;
}

/// First: counts the pairs of each expert in each chunk, and pads everything.
template <class I>
__global__ void __launch_bounds__(threads) count_kernel(Arguments<I> args) {
  extern __shared__ int count[];  // [experts]
  for (int e = static_cast<int>(threadIdx.x); e < args.experts; e += threads) count[e] = 0;
  const zl::i64 step = static_cast<zl::i64>(gridDim.x) * threads;
  for (zl::i64 i = static_cast<zl::i64>(blockIdx.x) * threads + threadIdx.x; i < args.places;
       i += step) {
    args.sorted_ids[i] = args.pairs;
  }
  __syncthreads();
#pragma unroll
  for (int round = 0; round < rounds; ++round) {
    const int pair = pair_of(round);
    if (pair < args.pairs) atomicAdd(&count[args.topk_ids[pair]], 1);
  }
  __syncthreads();
  int* const to = args.counts + static_cast<zl::i64>(blockIdx.x) * args.experts;
  for (int e = static_cast<int>(threadIdx.x); e < args.experts; e += threads) to[e] = count[e];
}

/// Second, one block, a thread an expert: from counts to places.
template <class I>
__global__ void __launch_bounds__(most_experts) places_kernel(Arguments<I> args) {
  __shared__ int end[most_experts];
  const int e = static_cast<int>(threadIdx.x);
  int total = 0;
  if (e < args.experts) {
    constexpr int batch = 16;  // loads in flight
    for (int first = 0; first < args.chunks; first += batch) {
      int count[batch];
#pragma unroll
      for (int i = 0; i < batch; ++i) {
        const zl::i64 at = static_cast<zl::i64>(first + i) * args.experts + e;
        if (first + i < args.chunks) count[i] = args.counts[at];
      }
#pragma unroll
      for (int i = 0; i < batch; ++i) {
        const zl::i64 at = static_cast<zl::i64>(first + i) * args.experts + e;
        if (first + i < args.chunks) {
          args.counts[at] = total;
          total += count[i];
        }
      }
    }
  }
  const int length = (total + args.block - 1) / args.block * args.block;
  end[e] = length;
  __syncthreads();
  for (int distance = 1; distance < static_cast<int>(blockDim.x); distance *= 2) {
    const int before = e >= distance ? end[e - distance] : 0;
    __syncthreads();
    end[e] += before;
    __syncthreads();
  }
  if (e < args.experts) args.starts[e] = end[e] - length;
  if (e == args.experts - 1) *args.padded = end[e];
}

/// The lanes, of 32, whose value is this lane's.
__device__ unsigned equal_lanes(int value) {
#ifdef ZL_BACKEND_MUSA
  unsigned lanes = 0;
  for (int lane = 0; lane < 32; ++lane) {
    if (__shfl_sync(0xFFFFFFFFu, value, lane, 32) == value) lanes |= 1u << lane;
  }
  return lanes;
#else
  return __match_any_sync(0xFFFFFFFFu, value);
#endif
}

/// The expert whose list has `place` in it: the last one that starts there or before.
__device__ int expert_at(const int* starts, int experts, int place) {
  int first = 0;
  int last = experts;  // the answer is in [first, last)
  while (last - first > 1) {
    const int middle = (first + last) / 2;
    if (starts[middle] <= place) {
      first = middle;
    } else {
      last = middle;
    }
  }
  return first;
}

/// Third: writes each pair to its place, in their order, and each block's expert.
template <class I>
__global__ void __launch_bounds__(threads) scatter_kernel(Arguments<I> args) {
  extern __shared__ int next[];  // [warps][experts]: pairs; then the next one's place
  const int lane = static_cast<int>(threadIdx.x) % 32;
  int* const mine = next + static_cast<int>(threadIdx.x) / 32 * args.experts;
  for (int i = static_cast<int>(threadIdx.x); i < warps * args.experts; i += threads) next[i] = 0;
  __syncthreads();
  int expert[rounds];
#pragma unroll
  for (int round = 0; round < rounds; ++round) {
    const int pair = pair_of(round);
    expert[round] = pair < args.pairs ? static_cast<int>(args.topk_ids[pair]) : -1;
    if (expert[round] >= 0) atomicAdd(&mine[expert[round]], 1);
  }
  __syncthreads();
  const int* const before = args.counts + static_cast<zl::i64>(blockIdx.x) * args.experts;
  for (int e = static_cast<int>(threadIdx.x); e < args.experts; e += threads) {
    int place = args.starts[e] + before[e];
    for (int warp = 0; warp < warps; ++warp) {
      const int count = next[warp * args.experts + e];
      next[warp * args.experts + e] = place;
      place += count;
    }
  }
  __syncthreads();
#pragma unroll
  for (int round = 0; round < rounds; ++round) {
    const unsigned equal = equal_lanes(expert[round]);
    const int place =
        expert[round] < 0 ? 0 : mine[expert[round]] + __popc(equal & ((1u << lane) - 1));
    if (expert[round] >= 0) args.sorted_ids[place] = pair_of(round);
    __syncwarp();  // all have read what the last of them moves on
    if (expert[round] >= 0 && equal >> lane == 1) mine[expert[round]] = place + 1;
    __syncwarp();
  }
  const int used = *args.padded;
  const int step = static_cast<int>(gridDim.x) * threads;
  for (int b = static_cast<int>(blockIdx.x) * threads + static_cast<int>(threadIdx.x);
       b < args.blocks; b += step) {
    const int place = b * args.block;
    args.expert_ids[b] = place < used ? expert_at(args.starts, args.experts, place) : 0;
  }
}

/// One even where there are no pairs: there is padding to write.
zl::i64 chunks_of(AlignShape shape) {
  return shape.pairs == 0 ? 1 : (shape.pairs + chunk - 1) / chunk;
}

}  // namespace

zl::i64 align_workspace(AlignShape shape) {
  return (chunks_of(shape) + 1) * shape.experts * static_cast<zl::i64>(sizeof(int));
}

template <class I>
void moe_align_block_size(zl::Stream stream, I* sorted_ids, I* expert_ids, I* padded,
                          const I* topk_ids, void* workspace, AlignShape shape) {
  const auto narrow = [](zl::i64 value) { return static_cast<int>(value); };
  Arguments<I> args{};
  args.sorted_ids = sorted_ids;
  args.expert_ids = expert_ids;
  args.padded = padded;
  args.topk_ids = topk_ids;
  args.starts = static_cast<int*>(workspace);
  args.counts = args.starts + shape.experts;
  args.pairs = narrow(shape.pairs);
  args.experts = narrow(shape.experts);
  args.block = narrow(shape.block);
  args.places = narrow(shape.places());
  args.blocks = narrow(shape.blocks());
  args.chunks = narrow(chunks_of(shape));
  const auto blocks = static_cast<unsigned>(args.chunks);
  const std::size_t table = static_cast<std::size_t>(shape.experts) * sizeof(int);
  const zl::gpu::NativeStream on = stream;
  count_kernel<<<blocks, threads, table, on>>>(args);
  zl::gpu::check_launch("moe_align_block_size count_kernel");
  places_kernel<<<1, (args.experts + 31) / 32 * 32, 0, on>>>(args);
  zl::gpu::check_launch("moe_align_block_size places_kernel");
  scatter_kernel<<<blocks, threads, warps * table, on>>>(args);
  zl::gpu::check_launch("moe_align_block_size scatter_kernel");
}

ZL_INSTANTIATE(moe_align_block_size)

}  // namespace ops
