#include <algorithm>

#include "dropout.hpp"
#include "zl/registry.hpp"

namespace ops {

template <class T>
void dropout(zl::Stream, T* y, zl::u8* mask, const T* x, zl::Philox draws, double p, zl::i64 n) {
  const auto threshold = static_cast<float>(p);
  const double scale = 1 / (1 - p);
  for (zl::i64 i = 0; i < n; i += 4) {
    const auto block = zl::draw(draws, static_cast<std::uint64_t>(i / 4));
    const zl::i64 end = std::min(n - i, zl::i64{4});
    for (zl::i64 j = 0; j < end; ++j) {
      const bool keep = zl::to_uniform(block.word[j]) >= threshold;
      mask[i + j] = keep ? 1 : 0;
      y[i + j] =
          zl::from_float<T>(keep ? static_cast<float>(zl::to_double(x[i + j]) * scale) : 0.0f);
    }
  }
}

ZL_INSTANTIATE(dropout)

}  // namespace ops
