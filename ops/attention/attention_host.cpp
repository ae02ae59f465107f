#include <algorithm>
#include <cmath>
#include <vector>

#include "attention.hpp"
#include "shared/widened.hpp"
#include "zl/registry.hpp"

namespace ops {

template <class T>
void attention(zl::Stream, T* y, const T* q, const T* k, const T* v, zl::i64 batch, zl::i64 heads,
               zl::i64 seq, zl::i64 dim, bool causal) {
  const float scale = 1 / std::sqrt(static_cast<float>(dim));
  std::vector<float> weight(static_cast<std::size_t>(seq));
  std::vector<float> sum(static_cast<std::size_t>(dim));
  for (zl::i64 head = 0; head < batch * heads; ++head) {
    const auto keys = widened(k + head * seq * dim, seq * dim);
    const auto values = widened(v + head * seq * dim, seq * dim);
    for (zl::i64 i = 0; i < seq; ++i) {
      const auto query = widened(q + (head * seq + i) * dim, dim);
      const zl::i64 seen = causal ? i + 1 : seq;
      float largest = -INFINITY;
      for (zl::i64 j = 0; j < seen; ++j) {
        float dot = 0;
        for (zl::i64 d = 0; d < dim; ++d) dot += query[d] * keys[j * dim + d];
        weight[j] = dot * scale;
        largest = std::max(largest, weight[j]);
      }
      float total = 0;
      std::fill(sum.begin(), sum.end(), 0.0f);
      for (zl::i64 j = 0; j < seen; ++j) {
        const float p = std::exp(weight[j] - largest);
        total += p;
        for (zl::i64 d = 0; d < dim; ++d) sum[d] += p * values[j * dim + d];
      }
      T* const to = y + (head * seq + i) * dim;
      for (zl::i64 d = 0; d < dim; ++d) to[d] = zl::from_float<T>(sum[d] / total);
    }
  }
}

ZL_INSTANTIATE(attention)

}  // namespace ops
