#include "fused_experts.hpp"
#include "moe_sum/moe_sum.hpp"
#include "shared/matmul/grouped.cuh"
#include "silu_and_mul/silu_and_mul.hpp"
#include "sort_pairs.hpp"
#include "zl/gpu.hpp"
#include "zl/registry.hpp"

namespace ops {
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
    sort_pairs(stream, {offsets, tokens, pairs}, expert, s);
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
