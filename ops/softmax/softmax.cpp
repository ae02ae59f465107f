#include "softmax.hpp"

#include <algorithm>
#include <cmath>

#include "shared/with_cudnn.hpp"
#include "zl/bench.hpp"

namespace {

template <class T>
void softmax_rows(zl::Rows rows, double* y, const T* x, zl::i64 cols) {
  x += rows.first * cols;
  for (zl::i64 r = rows.first; r < rows.last; ++r, x += cols, y += cols) {
    double largest = -INFINITY;
    for (zl::i64 j = 0; j < cols; ++j) largest = std::max(largest, zl::to_double(x[j]));
    double sum = 0;
    for (zl::i64 j = 0; j < cols; ++j) sum += y[j] = std::exp(zl::to_double(x[j]) - largest);
    for (zl::i64 j = 0; j < cols; ++j) y[j] /= sum;
  }
}

/// Besides the roundings: exp and the sum, which is a tree's, are good to a few units of binary32
/// each, whatever the row's length; the absolute part is for probabilities that are subnormal.
template <class T>
zl::Tolerance softmax_tolerance() {
  auto tolerance = zl::tolerance<T>();
  tolerance.relative += 32 * 0x1p-24;
  tolerance.absolute = zl::dtype_of_v<T> == zl::DType::f16 ? 0x1p-24 : 0x1p-126;
  return tolerance;
}

template <class T>
void softmax(zl::Case& c) {
  const zl::i64 rows = c.axis("rows"), cols = c.axis("cols");
  auto x = c.in<T>({rows, cols}, zl::normal());
  auto y = c.out<T>({rows, cols});
  auto workspace = c.scratch(ops::softmax_workspace(rows, cols));
  c.flops(5.0 * static_cast<double>(rows) * static_cast<double>(cols));
  c.impl("own", ops::softmax<T>, y, x, workspace, rows, cols);
  if constexpr (ops::with_cudnn) c.run("cudnn", ops::cudnn_softmax<T>(y, x, rows, cols));
  c.expect(y, softmax_rows<T>, zl::same_rows(x), cols).within(softmax_tolerance<T>());
}

}  // namespace

ZL_OP(softmax, "rows", "cols");
