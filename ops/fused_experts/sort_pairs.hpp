#pragma once

#include "fused_experts.hpp"

namespace ops {

/// What sort_pairs() writes, on the device.
struct SortedPairs {
  zl::i32* offsets;           ///< [experts + 1]: expert e's pairs are those from offsets[e] on
  zl::i32* tokens;            ///< [pairs]: their tokens, by expert
  zl::i32* pairs;             ///< [pairs]: themselves, token * k + choice
  zl::i32* places = nullptr;  ///< [pairs]: where each pair went; may be left out
};

/// The pairs of tokens and choices by expert, on a GPU, for fused_most_experts experts at most and
/// at least one pair. Their order within an expert may be another one in each call.
void sort_pairs(zl::Stream stream, const SortedPairs& sorted, const zl::i32* expert,
                const ExpertsShape& s);

}  // namespace ops
