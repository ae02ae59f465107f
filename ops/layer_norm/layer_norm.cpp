#include "layer_norm.hpp"

#include <cmath>

#include "shared/cudnn_norm.hpp"
#include "zl/bench.hpp"

namespace {

template <class T>
void layer_norm_rows(zl::Rows rows, double* y, const T* x, const T* weight, const T* bias,
                     double epsilon, zl::i64 cols) {
  x += rows.first * cols;
  for (zl::i64 r = rows.first; r < rows.last; ++r, x += cols, y += cols) {
    double sum = 0;
    for (zl::i64 j = 0; j < cols; ++j) sum += zl::to_double(x[j]);
    const double mean = sum / static_cast<double>(cols);
    double squares = 0;
    for (zl::i64 j = 0; j < cols; ++j) {
      y[j] = zl::to_double(x[j]) - mean;
      squares += y[j] * y[j];
    }
    const double scale = 1 / std::sqrt(squares / static_cast<double>(cols) + epsilon);
    for (zl::i64 j = 0; j < cols; ++j) {
      y[j] = y[j] * scale * zl::to_double(weight[j]) + zl::to_double(bias[j]);
    }
  }
}

template <class T>
void layer_norm(zl::Case& c) {
  const zl::i64 rows = c.axis("rows"), cols = c.axis("cols");
  const double epsilon = 1e-5;
  auto x = c.in<T>({rows, cols}, zl::normal()).warm();  // an activation; the weights are cold
  auto weight = c.in<T>({cols}, zl::uniform(0.5, 1.5));
  auto bias = c.in<T>({cols}, zl::normal());
  auto y = c.out<T>({rows, cols});
  c.flops(8.0 * static_cast<double>(rows) * static_cast<double>(cols));
  c.impl("own", ops::layer_norm<T>, y, x, weight, bias, epsilon, rows, cols);
  if constexpr (ops::with_cudnn) {
    if (ops::cudnn_norm_takes(zl::dtype_of_v<T>, cols)) {
      auto workspace = c.scratch(ops::cudnn_norm_workspace);
      const auto norm = ops::cudnn_norm({zl::dtype_of_v<T>, true, rows, cols, epsilon});
      c.run("cudnn", [=](const zl::Launch& launch) {
        norm(launch, {launch.ptr(y), launch.ptr(x), launch.ptr(weight), launch.ptr(bias),
                      launch.ptr(workspace)});
      });
    }
  }
  // Mean and deviations are those of a tree, good to a few units of binary32 whatever the row's
  // length; a product of up to 7 loses them where the bias cancels it.
  c.expect(y, layer_norm_rows<T>, zl::same_rows(x), weight, bias, epsilon, cols)
      .within(zl::tolerance<T>(4, 8));
}

}  // namespace

ZL_OP(layer_norm, "rows", "cols");
