#include "fused_add_rms_norm.hpp"

#include <cmath>

#include "zl/bench.hpp"

namespace {

template <class T>
void residual_rows(zl::Rows rows, double* out, const T* x, const T* residual, zl::i64 cols) {
  for (zl::i64 i = rows.first * cols; i < rows.last * cols; ++i) {
    *out++ = zl::to_double(x[i]) + zl::to_double(residual[i]);
  }
}

template <class T>
void norm_rows(zl::Rows rows, double* out, const T* x, const T* residual, const T* weight,
               double epsilon, zl::i64 cols) {
  residual_rows(rows, out, x, residual, cols);
  for (zl::i64 r = rows.first; r < rows.last; ++r, out += cols) {
    double squares = 0;
    for (zl::i64 j = 0; j < cols; ++j) squares += out[j] * out[j];
    const double scale = 1 / std::sqrt(squares / static_cast<double>(cols) + epsilon);
    for (zl::i64 j = 0; j < cols; ++j) out[j] *= scale * zl::to_double(weight[j]);
  }
}

template <class T>
void fused_add_rms_norm(zl::Case& c) {
  const zl::i64 rows = c.axis("rows"), cols = c.axis("cols");
  const double epsilon = 1e-5;
  auto x = c.inout<T>({rows, cols}, zl::normal());
  auto residual = c.inout<T>({rows, cols}, zl::normal());
  // Calls repeated on one buffer add up to weight * rms to the residual each. Once its rms passes
  // 4096 weights that is under half a unit in the last place of f16, so small weights keep it
  // finite.
  auto weight = c.in<T>({cols}, zl::uniform(0.05, 0.2));
  c.flops(6.0 * static_cast<double>(rows) * static_cast<double>(cols));
  c.impl("own", ops::fused_add_rms_norm<T>, x, residual, weight, epsilon, rows, cols);
  c.expect(residual, residual_rows<T>, zl::same_rows(x), zl::same_rows(residual), cols);
  c.expect(x, norm_rows<T>, zl::same_rows(x), zl::same_rows(residual), weight, epsilon, cols)
      .within(zl::tolerance<T>(4));
}

}  // namespace

ZL_OP(fused_add_rms_norm, "rows", "cols");
