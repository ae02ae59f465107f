#include <algorithm>
#include <cmath>
#include <vector>

#include "topk_softmax.hpp"
#include "zl/registry.hpp"

namespace ops {

template <class T>
void topk_softmax(zl::Stream, float* weights, zl::i32* ids, const T* logits, zl::i64 tokens,
                  zl::i64 experts, zl::i64 k) {
  if (k == 0) return;
  struct Logit {
    float value;
    zl::i32 expert;
  };
  std::vector<Logit> row(static_cast<std::size_t>(experts));
  for (zl::i64 t = 0; t < tokens; ++t, logits += experts, weights += k, ids += k) {
    for (zl::i64 e = 0; e < experts; ++e) {
      row[e] = {static_cast<float>(zl::to_double(logits[e])), static_cast<zl::i32>(e)};
    }
    std::partial_sort(row.begin(), row.begin() + k, row.end(), [](Logit a, Logit b) {
      return a.value != b.value ? a.value > b.value : a.expert < b.expert;
    });
    double sum = 0;
    for (const Logit& logit : row) sum += std::exp(logit.value - row[0].value);
    for (zl::i64 j = 0; j < k; ++j) {
      weights[j] = static_cast<float>(std::exp(row[j].value - row[0].value) / sum);
      ids[j] = row[j].expert;
    }
  }
}

ZL_INSTANTIATE(topk_softmax)

}  // namespace ops
