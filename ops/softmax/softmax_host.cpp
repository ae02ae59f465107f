#include <algorithm>
#include <cmath>
#include <vector>

#include "softmax.hpp"
#include "zl/registry.hpp"

namespace ops {

template <class T>
void softmax(zl::Stream, T* y, const T* x, zl::u8*, zl::i64 rows, zl::i64 cols) {
  std::vector<float> row(static_cast<std::size_t>(cols));
  for (zl::i64 r = 0; r < rows; ++r, x += cols, y += cols) {
    float largest = -INFINITY;
    for (zl::i64 j = 0; j < cols; ++j) {
      row[j] = static_cast<float>(zl::to_double(x[j]));
      largest = std::max(largest, row[j]);
    }
    double sum = 0;
    for (float& value : row) {
      value = std::exp(value - largest);
      sum += static_cast<double>(value);
    }
    const auto scale = static_cast<float>(1 / sum);
    for (zl::i64 j = 0; j < cols; ++j) y[j] = zl::from_float<T>(row[j] * scale);
  }
}

ZL_INSTANTIATE(softmax)

}  // namespace ops
