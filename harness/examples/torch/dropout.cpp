// harness/examples/torch/dropout.cpp: an operator that draws random numbers
#include <ATen/ops/dropout.h>

#include <cmath>
#include <limits>
#include <zl/torch.hpp>

namespace {

constexpr double dropped = 0.25;

void kept_rows(zl::Rows rows, double* y, const float* x, zl::i64 cols) {
  for (zl::i64 i = rows.first * cols; i < rows.last * cols; ++i) *y++ = x[i] / (1 - dropped);
}
// Which elements are dropped nobody knows, only how many, within six standard deviations: a row
// with a right share of zeros stands for what it would be without them.
void without_drops(zl::Rows rows, double* y, const float* x, zl::i64 cols) {
  for (zl::i64 row = rows.first; row < rows.last; ++row, y += cols) {
    double zeros = 0;
    for (zl::i64 i = 0; i < cols; ++i) zeros += y[i] == 0;
    const double expected = dropped * double(cols);
    const bool right = std::abs(zeros - expected) <= 6 * std::sqrt(expected * (1 - dropped));
    for (zl::i64 i = 0; i < cols; ++i) {
      if (!right) y[i] = std::numeric_limits<double>::quiet_NaN();
      if (y[i] == 0) y[i] = x[row * cols + i] / (1 - dropped);
    }
  }
}

template <class T>
void torch_dropout(zl::Case& c) {
  const zl::i64 rows = c.axis("rows");
  const zl::i64 cols = c.axis("cols");
  auto x = c.in<T>({rows, cols}, zl::normal());
  auto y = c.out<T>({rows, cols});
  const auto aten = [](const at::Tensor& x, const at::Generator&) {
    return at::dropout(x, dropped, true);  // draws from the default generator
  };
  zl::torch::impl(c, "aten", zl::torch::returned(y), aten, x, zl::torch::generator(c));
  c.expect(y, kept_rows, zl::same_rows(x), cols).meaning(without_drops, zl::same_rows(x), cols);
}

}  // namespace

ZL_OP(torch_dropout, "rows", "cols");
