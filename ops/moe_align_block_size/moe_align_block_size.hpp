#pragma once

#include "zl/stream.hpp"
#include "zl/types.hpp"

namespace ops {

/// Sizes of a call. `pairs` are tokens times experts a token; `experts` is at most most_experts.
struct AlignShape {
  zl::i64 pairs;
  zl::i64 experts;
  zl::i64 block;

  /// Elements of sorted_ids: each expert may need block - 1 places of padding.
  zl::i64 places() const { return pairs + experts * (block - 1); }
  /// Elements of expert_ids.
  zl::i64 blocks() const { return (places() + block - 1) / block; }
};

inline constexpr zl::i64 most_experts = 1024;

/// Groups (token, expert) pairs by expert for a grouped matrix product whose tiles are `block`
/// rows of one expert each. topk_ids[pairs] holds each pair's expert.
///
///   sorted_ids[places()]  the pairs' numbers by expert and then ascending, each expert's list
///                         padded with the number `pairs` to a multiple of block; the rest, which
///                         no block uses, is `pairs` too
///   expert_ids[blocks()]  the expert of each block of sorted_ids; 0 for blocks past the last used
///   padded[1]             the length of all lists together
///
/// These are the semantics of vLLM's and FlagGems' op of this name; vLLM leaves the order within
/// an expert open. Every id must be in [0, experts). `workspace`: align_workspace() bytes, unused
/// on host.
template <class I>
void moe_align_block_size(zl::Stream stream, I* sorted_ids, I* expert_ids, I* padded,
                          const I* topk_ids, void* workspace, AlignShape shape);

zl::i64 align_workspace(AlignShape shape);

}  // namespace ops
