#include "fused_experts.hpp"
#include "moe_sum/moe_sum.hpp"
#include "shared/matmul/grouped.cuh"
#include "silu_and_mul/silu_and_mul.hpp"
#include "zl/gpu.hpp"
#include "zl/registry.hpp"

namespace ops {
namespace {

constexpr int sort_threads = 1024;

/// The pairs by expert, in one block. Their order within an expert is that of the atomics, which no
/// result depends on: a product's rows are independent of each other and of where they lie.
__global__ void __launch_bounds__(sort_threads)
    sort_kernel(zl::i32* offsets, zl::i32* tokens, zl::i32* pairs, const zl::i32* expert, int count,
                int experts, int k) {
  __shared__ int next[fused_most_experts];  // pairs of an expert, then where its next one goes
  const int thread = static_cast<int>(threadIdx.x);
  for (int e = thread; e < experts; e += sort_threads) next[e] = 0;
  __syncthreads();
  for (int pair = thread; pair < count; pair += sort_threads) atomicAdd(next + expert[pair], 1);
  __syncthreads();
  if (thread == 0) {
    int start = 0;
    for (int e = 0; e < experts; ++e) {
      offsets[e] = start;
      const int pairs_of_expert = next[e];
      next[e] = start;
      start += pairs_of_expert;
    }
    offsets[experts] = start;
  }
  __syncthreads();
  for (int pair = thread; pair < count; pair += sort_threads) {
    const int to = atomicAdd(next + expert[pair], 1);
    tokens[to] = pair / k;
    pairs[to] = pair;
  }
}

}  // namespace

template <class T>
void fused_experts(zl::Stream stream, T* y, const T* x, const T* w1, const T* w2,
                   const zl::i32* expert, const float* weight, zl::u8* workspace, ExpertsShape s) {
  if (s.tokens == 0 || s.hidden == 0) return;
  check_extents("fused_experts", {s.pairs(), s.hidden, 2 * s.inter});
  const ExpertsWorkspace at(s, sizeof(T));
  const auto offsets = reinterpret_cast<zl::i32*>(workspace + at.offsets);
  const auto tokens = reinterpret_cast<zl::i32*>(workspace + at.tokens);
  const auto pairs = reinterpret_cast<zl::i32*>(workspace + at.pairs);
  const auto gate_up = reinterpret_cast<T*>(workspace + at.gate_up);
  const auto activated = reinterpret_cast<T*>(workspace + at.activated);
  const auto down = reinterpret_cast<T*>(workspace + at.down);
  const auto count = static_cast<int>(s.pairs());
  const auto hidden = static_cast<int>(s.hidden);
  const auto inter = static_cast<int>(s.inter);

  if (s.pairs() > 0) {
    const zl::gpu::NativeStream native = stream;
    sort_kernel<<<1, sort_threads, 0, native>>>(offsets, tokens, pairs, expert, count,
                                                static_cast<int>(s.experts), static_cast<int>(s.k));
    zl::gpu::check_launch("fused_experts sort_kernel");
    if (s.inter > 0) {
      const bool aligned =
          has_aligned_rows(s.hidden, x) && has_aligned_rows(s.hidden, w1) && s.inter % 8 == 0;
      launch_grouped<T>(native, gate_up, Gathered<T>{x, tokens, count, hidden},
                        TransposedMatrix<T>{{w1, 2 * inter, hidden}}, offsets, s.pairs(),
                        2 * s.inter, s.experts, aligned);
      silu_and_mul(stream, activated, gate_up, s.pairs(), s.inter);
    }
    const bool aligned = has_aligned_rows(s.inter, w2) && s.hidden % 8 == 0;
    launch_grouped<T>(native, Scattered<T>{down, pairs, weight}, Matrix<T>{activated, count, inter},
                      TransposedMatrix<T>{{w2, hidden, inter}}, offsets, s.pairs(), s.hidden,
                      s.experts, aligned);
  }
  moe_sum(stream, y, down, s.tokens, s.k, s.hidden);
}

ZL_INSTANTIATE(fused_experts)

}  // namespace ops
