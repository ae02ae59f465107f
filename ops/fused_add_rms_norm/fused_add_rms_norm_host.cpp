#include <cmath>
#include <vector>

#include "fused_add_rms_norm.hpp"
#include "zl/registry.hpp"

namespace ops {

template <class T>
void fused_add_rms_norm(zl::Stream, T* x, T* residual, const T* weight, double epsilon,
                        zl::i64 rows, zl::i64 cols) {
  std::vector<double> sum(static_cast<std::size_t>(cols));
  for (zl::i64 r = 0; r < rows; ++r, x += cols, residual += cols) {
    double squares = 0;
    for (zl::i64 j = 0; j < cols; ++j) {
      sum[j] = zl::to_double(x[j]) + zl::to_double(residual[j]);
      residual[j] = zl::from_float<T>(static_cast<float>(sum[j]));
      squares += sum[j] * sum[j];
    }
    const double scale = 1 / std::sqrt(squares / static_cast<double>(cols) + epsilon);
    for (zl::i64 j = 0; j < cols; ++j) {
      x[j] = zl::from_float<T>(static_cast<float>(sum[j] * scale * zl::to_double(weight[j])));
    }
  }
}

ZL_INSTANTIATE(fused_add_rms_norm)

}  // namespace ops
