#include <vector>

#include "moe_sum.hpp"
#include "zl/registry.hpp"

namespace ops {

template <class T>
void moe_sum(zl::Stream, T* y, const T* x, zl::i64 tokens, zl::i64 k, zl::i64 dim) {
  std::vector<float> sum(static_cast<std::size_t>(dim));
  for (zl::i64 t = 0; t < tokens; ++t, y += dim) {
    sum.assign(sum.size(), 0);
    for (zl::i64 e = 0; e < k; ++e, x += dim) {
      for (zl::i64 d = 0; d < dim; ++d) sum[d] += static_cast<float>(zl::to_double(x[d]));
    }
    for (zl::i64 d = 0; d < dim; ++d) y[d] = zl::from_float<T>(sum[d]);
  }
}

ZL_INSTANTIATE(moe_sum)

}  // namespace ops
