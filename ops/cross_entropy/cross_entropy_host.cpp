#include <algorithm>
#include <cmath>

#include "cross_entropy.hpp"
#include "zl/registry.hpp"

namespace ops {

template <class T>
void cross_entropy(zl::Stream, T* loss, const T* x, const zl::i64* target, zl::i64 rows,
                   zl::i64 classes) {
  for (zl::i64 r = 0; r < rows; ++r, x += classes) {
    float largest = -INFINITY;
    for (zl::i64 c = 0; c < classes; ++c) {
      largest = std::max(largest, static_cast<float>(zl::to_double(x[c])));
    }
    double sum = 0;
    for (zl::i64 c = 0; c < classes; ++c) {
      sum += static_cast<double>(std::exp(static_cast<float>(zl::to_double(x[c])) - largest));
    }
    const double gap = static_cast<double>(largest) - zl::to_double(x[target[r]]);
    loss[r] = zl::from_float<T>(static_cast<float>(gap + std::log(sum)));
  }
}

ZL_INSTANTIATE(cross_entropy)

}  // namespace ops
