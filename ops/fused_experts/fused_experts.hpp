#pragma once

#include "zl/stream.hpp"
#include "zl/types.hpp"

namespace ops {

/// A layer of experts: each of `tokens` tokens goes to `k` of `experts` experts.
struct ExpertsShape {
  zl::i64 tokens, experts, hidden, inter, k;
  constexpr zl::i64 pairs() const { return tokens * k; }
};

/// Where in the work space is what, in bytes.
struct ExpertsWorkspace {
  zl::i64 offsets;    ///< i32[experts + 1]: expert e's pairs are those from offsets[e] on
  zl::i64 tokens;     ///< i32[pairs]: their tokens, by expert
  zl::i64 pairs;      ///< i32[pairs]: themselves, token * k + choice
  zl::i64 gate_up;    ///< T[pairs][2 inter], by expert
  zl::i64 activated;  ///< T[pairs][inter], by expert
  zl::i64 down;       ///< T[pairs][hidden], by token and choice
  zl::i64 bytes;

  constexpr ExpertsWorkspace(const ExpertsShape& s, zl::i64 element)
      : offsets(0),
        tokens(after(offsets, 4 * (s.experts + 1))),
        pairs(after(tokens, 4 * s.pairs())),
        gate_up(after(pairs, 4 * s.pairs())),
        activated(after(gate_up, element * s.pairs() * 2 * s.inter)),
        down(after(activated, element * s.pairs() * s.inter)),
        bytes(after(down, element * s.pairs() * s.hidden)) {}

 protected:
  static constexpr zl::i64 after(zl::i64 start, zl::i64 length) {
    return (start + length + 255) / 256 * 256;
  }
};

/// The most experts that fused_experts() takes on a GPU: their counters lie in shared memory.
inline constexpr zl::i64 fused_most_experts = 4096;

/// y[t] = sum over j < k of weight[t][j] w2[e] silu_and_mul(w1[e] x[t]) with e = expert[t][j]:
/// x[tokens][hidden], w1[experts][2 inter][hidden] with the gate's rows before the projection's,
/// w2[experts][hidden][inter], y[tokens][hidden]. Each step's result is rounded to T, as the ops
/// one after the other would. Every expert[t][j] is one of [0, experts).
template <class T>
void fused_experts(zl::Stream stream, T* y, const T* x, const T* w1, const T* w2,
                   const zl::i32* expert, const float* weight, zl::u8* workspace, ExpertsShape s);

}  // namespace ops
