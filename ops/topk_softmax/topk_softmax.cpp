#include "topk_softmax.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "zl/bench.hpp"

namespace {

/// The experts of one token, best first.
template <class T>
std::vector<zl::i64> chosen(const T* logits, zl::i64 experts, zl::i64 k) {
  std::vector<zl::i64> expert(static_cast<std::size_t>(experts));
  std::iota(expert.begin(), expert.end(), 0);
  std::partial_sort(expert.begin(), expert.begin() + k, expert.end(), [&](zl::i64 a, zl::i64 b) {
    const double left = zl::to_double(logits[a]);
    const double right = zl::to_double(logits[b]);
    return left != right ? left > right : a < b;
  });
  expert.resize(static_cast<std::size_t>(k));
  return expert;
}

template <class T>
void id_rows(zl::Rows rows, double* ids, const T* logits, zl::i64 experts, zl::i64 k) {
  for (zl::i64 t = rows.first; t < rows.last; ++t) {
    for (zl::i64 expert : chosen(logits + t * experts, experts, k)) {
      *ids++ = static_cast<double>(expert);
    }
  }
}

template <class T>
void weight_rows(zl::Rows rows, double* weights, const T* logits, zl::i64 experts, zl::i64 k) {
  for (zl::i64 t = rows.first; t < rows.last; ++t) {
    const T* const row = logits + t * experts;
    const auto best = chosen(row, experts, k);
    const double largest = zl::to_double(row[best[0]]);
    double sum = 0;
    for (zl::i64 e = 0; e < experts; ++e) sum += std::exp(zl::to_double(row[e]) - largest);
    for (zl::i64 e : best) *weights++ = std::exp(zl::to_double(row[e]) - largest) / sum;
  }
}

template <class T>
void topk_softmax(zl::Case& c) {
  const zl::i64 tokens = c.axis("tokens"), experts = c.axis("experts"), k = c.axis("k");
  if (k > experts) {
    throw zl::Error(zl::Errc::usage, "topk_softmax: k = " + std::to_string(k) + " of " +
                                         std::to_string(experts) + " experts");
  }
  auto logits = c.in<T>({tokens, experts}, zl::normal()).warm();
  auto weights = c.out<float>({tokens, k});
  auto ids = c.out<zl::i32>({tokens, k});
  c.flops(5.0 * static_cast<double>(tokens) * static_cast<double>(experts));
  c.impl("own", ops::topk_softmax<T>, weights, ids, logits, tokens, experts, k);
  c.expect(ids, id_rows<T>, zl::same_rows(logits), experts, k);
  // Besides the roundings: exp and the sum are good to a few units of binary32 each; the absolute
  // part is for probabilities that are subnormal.
  c.expect(weights, weight_rows<T>, zl::same_rows(logits), experts, k)
      .within({34 * 0x1p-24, 0x1p-126});
}

}  // namespace

ZL_OP(topk_softmax, "tokens", "experts", "k");
