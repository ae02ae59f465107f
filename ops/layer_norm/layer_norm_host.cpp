#include <cmath>

#include "layer_norm.hpp"
#include "zl/registry.hpp"

namespace ops {

template <class T>
void layer_norm(zl::Stream, T* y, const T* x, const T* weight, const T* bias, double epsilon,
                zl::i64 rows, zl::i64 cols) {
  const auto n = static_cast<double>(cols);
  for (zl::i64 r = 0; r < rows; ++r, x += cols, y += cols) {
    double sum = 0;
    for (zl::i64 j = 0; j < cols; ++j) sum += zl::to_double(x[j]);
    const double mean = sum / n;
    double squares = 0;
    for (zl::i64 j = 0; j < cols; ++j) {
      const double deviation = zl::to_double(x[j]) - mean;
      squares += deviation * deviation;
    }
    const double scale = 1 / std::sqrt(squares / n + epsilon);
    for (zl::i64 j = 0; j < cols; ++j) {
      const double normed = (zl::to_double(x[j]) - mean) * scale;
      const double value = normed * zl::to_double(weight[j]) + zl::to_double(bias[j]);
      y[j] = zl::from_float<T>(static_cast<float>(value));
    }
  }
}

ZL_INSTANTIATE(layer_norm)

}  // namespace ops
