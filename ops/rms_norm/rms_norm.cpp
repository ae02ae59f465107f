#include "rms_norm.hpp"

#include <cmath>

#include "shared/cudnn_norm.hpp"
#include "zl/bench.hpp"

namespace {

template <class T>
void rms_norm_rows(zl::Rows rows, double* y, const T* x, const T* weight, double epsilon,
                   zl::i64 cols) {
  x += rows.first * cols;
  for (zl::i64 r = rows.first; r < rows.last; ++r, x += cols, y += cols) {
    double squares = 0;
    for (zl::i64 j = 0; j < cols; ++j) squares += zl::to_double(x[j]) * zl::to_double(x[j]);
    const double scale = 1 / std::sqrt(squares / static_cast<double>(cols) + epsilon);
    for (zl::i64 j = 0; j < cols; ++j)
      y[j] = zl::to_double(x[j]) * scale * zl::to_double(weight[j]);
  }
}

/// Besides the roundings of the output: the squares are all positive and summed by a tree, so the
/// scale is good to a few units of binary32, whatever the row's length.
template <class T>
zl::Tolerance rms_norm_tolerance() {
  auto tolerance = zl::tolerance<T>();
  tolerance.relative += 32 * 0x1p-24;
  return tolerance;
}

template <class T>
void rms_norm(zl::Case& c) {
  const zl::i64 rows = c.axis("rows"), cols = c.axis("cols");
  const double epsilon = 1e-5;
  auto x = c.in<T>({rows, cols}, zl::normal()).warm();  // an activation; the weights are cold
  auto weight = c.in<T>({cols}, zl::uniform(0.5, 1.5));
  auto y = c.out<T>({rows, cols});
  c.flops(4.0 * static_cast<double>(rows) * static_cast<double>(cols));
  c.impl("own", ops::rms_norm<T>, y, x, weight, epsilon, rows, cols);
  if constexpr (ops::with_cudnn) {
    if (ops::cudnn_norm_takes(zl::dtype_of_v<T>, cols)) {
      auto workspace = c.scratch(ops::cudnn_norm_workspace);
      const auto norm = ops::cudnn_norm({zl::dtype_of_v<T>, false, rows, cols, epsilon});
      c.run("cudnn", [=](const zl::Launch& launch) {
        norm(launch,
             {launch.ptr(y), launch.ptr(x), launch.ptr(weight), nullptr, launch.ptr(workspace)});
      });
    }
  }
  c.expect(y, rms_norm_rows<T>, zl::same_rows(x), weight, epsilon, cols)
      .within(rms_norm_tolerance<T>());
}

}  // namespace

ZL_OP(rms_norm, "rows", "cols");
