#include <algorithm>
#include <vector>

#include "moe_align_block_size.hpp"
#include "zl/registry.hpp"

namespace ops {

template <class I>
void moe_align_block_size(zl::Stream, I* sorted_ids, I* expert_ids, I* padded, const I* topk_ids,
                          void*, AlignShape s) {
  std::vector<zl::i64> count(static_cast<std::size_t>(s.experts));
  for (zl::i64 i = 0; i < s.pairs; ++i) ++count[static_cast<std::size_t>(topk_ids[i])];
  std::fill_n(sorted_ids, s.places(), static_cast<I>(s.pairs));
  std::fill_n(expert_ids, s.blocks(), I{0});
  zl::i64 place = 0;
  for (zl::i64 e = 0; e < s.experts; ++e) {
    const zl::i64 blocks = (count[e] + s.block - 1) / s.block;
    std::fill_n(expert_ids + place / s.block, blocks, static_cast<I>(e));
    count[e] = place;
    place += blocks * s.block;
  }
  *padded = static_cast<I>(place);
  for (zl::i64 i = 0; i < s.pairs; ++i) {
    sorted_ids[count[static_cast<std::size_t>(topk_ids[i])]++] = static_cast<I>(i);
  }
}

zl::i64 align_workspace(AlignShape) { return 0; }

ZL_INSTANTIATE(moe_align_block_size)

}  // namespace ops
