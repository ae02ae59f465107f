#include "sort_pairs.hpp"
#include "zl/gpu.hpp"

namespace ops {
namespace {

constexpr int sort_threads = 1024;

/// In one block. The order within an expert is that of the atomics, which no result depends on: a
/// product's rows are independent of each other and of where they lie.
__global__ void __launch_bounds__(sort_threads)
    sort_kernel(SortedPairs sorted, const zl::i32* expert, int count, int experts, int k) {
  __shared__ int next[fused_most_experts];  // pairs of an expert, then where its next one goes
  const int thread = static_cast<int>(threadIdx.x);
  for (int e = thread; e < experts; e += sort_threads) next[e] = 0;
  __syncthreads();
  for (int pair = thread; pair < count; pair += sort_threads) atomicAdd(next + expert[pair], 1);
  __syncthreads();
  if (thread == 0) {
    int start = 0;
    for (int e = 0; e < experts; ++e) {
      sorted.offsets[e] = start;
      const int pairs_of_expert = next[e];
      next[e] = start;
      start += pairs_of_expert;
    }
    sorted.offsets[experts] = start;
  }
  __syncthreads();
  for (int pair = thread; pair < count; pair += sort_threads) {
    const int to = atomicAdd(next + expert[pair], 1);
    sorted.tokens[to] = pair / k;
    sorted.pairs[to] = pair;
    if (sorted.places != nullptr) sorted.places[pair] = to;
  }
}

}  // namespace

void sort_pairs(zl::Stream stream, const SortedPairs& sorted, const zl::i32* expert,
                const ExpertsShape& s) {
  const zl::gpu::NativeStream native = stream;
  sort_kernel<<<1, sort_threads, 0, native>>>(sorted, expert, static_cast<int>(s.pairs()),
                                              static_cast<int>(s.experts), static_cast<int>(s.k));
  zl::gpu::check_launch("fused_experts sort_kernel");
}

}  // namespace ops
