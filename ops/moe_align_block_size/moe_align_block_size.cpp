#include "moe_align_block_size.hpp"

#include <climits>
#include <vector>

#include "shared/routing.hpp"
#include "zl/bench.hpp"

namespace {

using ops::AlignShape;

/// The place where each expert's list starts; the last entry is the end of all.
template <class I>
std::vector<zl::i64> starts_of(const I* topk_ids, AlignShape s) {
  std::vector<zl::i64> start(static_cast<std::size_t>(s.experts) + 1);
  for (zl::i64 i = 0; i < s.pairs; ++i) ++start[static_cast<std::size_t>(topk_ids[i]) + 1];
  for (std::size_t e = 1; e < start.size(); ++e) {
    start[e] = start[e - 1] + (start[e] + s.block - 1) / s.block * s.block;
  }
  return start;
}

template <class I>
void sorted_rows(zl::Rows rows, double* out, const I* topk_ids, AlignShape s) {
  auto place = starts_of(topk_ids, s);
  for (zl::i64 i = rows.first; i < rows.last; ++i) {
    out[i - rows.first] = static_cast<double>(s.pairs);
  }
  for (zl::i64 i = 0; i < s.pairs; ++i) {
    const zl::i64 at = place[static_cast<std::size_t>(topk_ids[i])]++;
    if (at >= rows.first && at < rows.last) out[at - rows.first] = static_cast<double>(i);
  }
}

template <class I>
void expert_rows(zl::Rows rows, double* out, const I* topk_ids, AlignShape s) {
  const auto start = starts_of(topk_ids, s);
  std::size_t expert = 0;
  for (zl::i64 b = rows.first; b < rows.last; ++b) {
    const zl::i64 place = b * s.block;
    while (place < start.back() && place >= start[expert + 1]) ++expert;
    *out++ = place < start.back() ? static_cast<double>(expert) : 0;
  }
}

template <class I>
void padded_rows(zl::Rows, double* out, const I* topk_ids, AlignShape s) {
  *out = static_cast<double>(starts_of(topk_ids, s).back());
}

template <class I>
void moe_align_block_size(zl::Case& c) {
  const zl::i64 tokens = c.axis("tokens"), experts = c.axis("experts"), k = c.axis("k");
  const AlignShape s{tokens * k, experts, c.axis("block")};
  if (experts == 0 || experts > ops::most_experts || s.block == 0 || s.places() > INT_MAX) {
    throw zl::Error(zl::Errc::usage,
                    "moe_align_block_size: 1 to " + std::to_string(ops::most_experts) +
                        " experts, a block that is not 0, and less than 2^31 places");
  }
  auto topk_ids =
      c.in<I>({tokens, k}, zl::values(ops::routing(tokens, experts, k, c.axis("skew")))).warm();
  auto sorted_ids = c.out<I>({s.places()});
  auto expert_ids = c.out<I>({s.blocks()});
  auto padded = c.out<I>({1});
  auto workspace = c.scratch(ops::align_workspace(s));
  c.impl("own", ops::moe_align_block_size<I>, sorted_ids, expert_ids, padded, topk_ids, workspace,
         s);
  c.expect(padded, padded_rows<I>, topk_ids, s);
  c.expect(expert_ids, expert_rows<I>, topk_ids, s);
  c.expect(sorted_ids, sorted_rows<I>, topk_ids, s);
}

}  // namespace

ZL_OP(moe_align_block_size, "tokens", "experts", "k", "block", "skew");
