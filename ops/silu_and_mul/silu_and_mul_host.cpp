#include <cmath>

#include "silu_and_mul.hpp"
#include "zl/registry.hpp"

namespace ops {

template <class T>
void silu_and_mul(zl::Stream, T* y, const T* x, zl::i64 rows, zl::i64 cols) {
  for (zl::i64 r = 0; r < rows; ++r, x += 2 * cols, y += cols) {
    for (zl::i64 j = 0; j < cols; ++j) {
      const auto gate = static_cast<float>(zl::to_double(x[j]));
      const auto up = static_cast<float>(zl::to_double(x[cols + j]));
      y[j] = zl::from_float<T>(gate / (1 + std::exp(-gate)) * up);
    }
  }
}

ZL_INSTANTIATE(silu_and_mul)

}  // namespace ops
