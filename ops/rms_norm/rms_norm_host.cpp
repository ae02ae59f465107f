#include <cmath>

#include "rms_norm.hpp"
#include "zl/registry.hpp"

namespace ops {

template <class T>
void rms_norm(zl::Stream, T* y, const T* x, const T* weight, double epsilon, zl::i64 rows,
              zl::i64 cols) {
  for (zl::i64 r = 0; r < rows; ++r, x += cols, y += cols) {
    double squares = 0;
    for (zl::i64 j = 0; j < cols; ++j) squares += zl::to_double(x[j]) * zl::to_double(x[j]);
    const double scale = 1 / std::sqrt(squares / static_cast<double>(cols) + epsilon);
    for (zl::i64 j = 0; j < cols; ++j) {
      const double value = zl::to_double(x[j]) * scale * zl::to_double(weight[j]);
      y[j] = zl::from_float<T>(static_cast<float>(value));
    }
  }
}

ZL_INSTANTIATE(rms_norm)

}  // namespace ops
