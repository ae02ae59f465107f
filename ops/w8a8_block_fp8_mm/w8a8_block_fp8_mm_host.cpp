#include <algorithm>
#include <vector>

#include "shared/widened.hpp"
#include "w8a8_block_fp8_mm.hpp"
#include "zl/registry.hpp"

namespace ops {

template <class A, class W, class C>
void w8a8_block_fp8_mm(zl::Stream, C* c, const A* a, const W* w, const float* a_scale,
                       const float* w_scale, zl::i64 m, zl::i64 n, zl::i64 k) {
  const zl::i64 groups = fp8_blocks(k);
  const std::vector<float> left = widened(a, m * k);
  for (zl::i64 j = 0; j < n; ++j) {
    const std::vector<float> right = widened(w + j * k, k);
    for (zl::i64 i = 0; i < m; ++i) {
      float sum = 0;
      for (zl::i64 g = 0; g < groups; ++g) {
        float part = 0;
        const zl::i64 last = std::min(k, (g + 1) * fp8_block);
        for (zl::i64 p = g * fp8_block; p < last; ++p) part += left[i * k + p] * right[p];
        sum += part * (a_scale[g * m + i] * w_scale[j / fp8_block * groups + g]);
      }
      c[i * n + j] = zl::from_float<C>(sum);
    }
  }
}

ZL_INSTANTIATE(w8a8_block_fp8_mm)

}  // namespace ops
