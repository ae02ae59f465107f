#include "fused_experts.hpp"
#include "moe_sum/moe_sum.hpp"
#include "silu_and_mul/silu_and_mul.hpp"
#include "zl/registry.hpp"

namespace ops {
namespace {

/// y = factor * w x for `rows` rows of w.
template <class T>
void multiply(T* y, const T* w, const T* x, zl::i64 rows, zl::i64 cols, float factor) {
  for (zl::i64 r = 0; r < rows; ++r) {
    float sum = 0;
    for (zl::i64 c = 0; c < cols; ++c) {
      sum += static_cast<float>(zl::to_double(w[r * cols + c])) *
             static_cast<float>(zl::to_double(x[c]));
    }
    y[r] = zl::from_float<T>(sum * factor);
  }
}

}  // namespace

template <class T>
void fused_experts(zl::Stream stream, T* y, const T* x, const T* w1, const T* w2,
                   const zl::i32* expert, const float* weight, zl::u8* workspace, ExpertsShape s) {
  const ExpertsWorkspace at(s, sizeof(T));
  const auto gate_up = reinterpret_cast<T*>(workspace + at.gate_up);
  const auto activated = reinterpret_cast<T*>(workspace + at.activated);
  const auto down = reinterpret_cast<T*>(workspace + at.down);
  for (zl::i64 pair = 0; pair < s.pairs(); ++pair) {
    const zl::i64 e = expert[pair];
    multiply(gate_up + pair * 2 * s.inter, w1 + e * 2 * s.inter * s.hidden,
             x + pair / s.k * s.hidden, 2 * s.inter, s.hidden, 1);
  }
  silu_and_mul(stream, activated, gate_up, s.pairs(), s.inter);
  for (zl::i64 pair = 0; pair < s.pairs(); ++pair) {
    const zl::i64 e = expert[pair];
    multiply(down + pair * s.hidden, w2 + e * s.hidden * s.inter, activated + pair * s.inter,
             s.hidden, s.inter, weight[pair]);
  }
  moe_sum(stream, y, down, s.tokens, s.k, s.hidden);
}

ZL_INSTANTIATE(fused_experts)

}  // namespace ops
