#include <algorithm>
#include <cmath>

#include "per_token_group_quant_fp8.hpp"
#include "zl/registry.hpp"

namespace ops {

template <class T, class Q>
void per_token_group_quant_fp8(zl::Stream, Q* q, float* scale, const T* x, zl::i64 tokens,
                               zl::i64 dim, zl::i64 group) {
  for (zl::i64 g = 0; g < tokens * dim / group; ++g, x += group, q += group) {
    float largest = smallest_maximum;
    for (zl::i64 i = 0; i < group; ++i) {
      largest = std::max(largest, std::abs(static_cast<float>(zl::to_double(x[i]))));
    }
    scale[g] = largest / largest_e4m3;
    for (zl::i64 i = 0; i < group; ++i) {
      q[i] = zl::from_float<Q>(static_cast<float>(zl::to_double(x[i])) / scale[g]);
    }
  }
}

ZL_INSTANTIATE(per_token_group_quant_fp8)

}  // namespace ops
