#include "rope.hpp"
#include "zl/registry.hpp"

namespace ops {

template <class T>
void rope(zl::Stream, T* x, const float* cosine, const float* sine, zl::i64 tokens, zl::i64 heads,
          zl::i64 dim) {
  const zl::i64 half = dim / 2;
  for (zl::i64 t = 0; t < tokens; ++t, cosine += half, sine += half) {
    for (zl::i64 h = 0; h < heads; ++h, x += dim) {
      for (zl::i64 i = 0; i < half; ++i) {
        const auto first = static_cast<float>(zl::to_double(x[i]));
        const auto second = static_cast<float>(zl::to_double(x[i + half]));
        x[i] = zl::from_float<T>(first * cosine[i] - second * sine[i]);
        x[i + half] = zl::from_float<T>(second * cosine[i] + first * sine[i]);
      }
    }
  }
}

ZL_INSTANTIATE(rope)

}  // namespace ops
