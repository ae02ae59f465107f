// harness/examples/torch/softmax.cpp: an operator that returns a new tensor
#include <ATen/ops/softmax.h>

#include <algorithm>
#include <cmath>
#include <zl/torch.hpp>

namespace {

template <class T>
void softmax_rows(zl::Rows rows, double* y, const T* x, zl::i64 cols) {
  for (zl::i64 row = rows.first; row < rows.last; ++row, y += cols) {
    const T* const in = x + row * cols;
    double largest = zl::to_double(in[0]);
    for (zl::i64 i = 1; i < cols; ++i) largest = std::max(largest, zl::to_double(in[i]));
    double sum = 0;
    for (zl::i64 i = 0; i < cols; ++i) sum += y[i] = std::exp(zl::to_double(in[i]) - largest);
    for (zl::i64 i = 0; i < cols; ++i) y[i] /= sum;
  }
}

template <class T>
void torch_softmax(zl::Case& c) {
  const zl::i64 rows = c.axis("rows");
  const zl::i64 cols = c.axis("cols");
  auto x = c.in<T>({rows, cols}, zl::normal());
  auto y = c.out<T>({rows, cols});
  const auto aten = [](const at::Tensor& x) { return at::softmax(x, -1); };
  zl::torch::impl(c, "aten", zl::torch::returned(y), aten, x);
  c.expect(y, softmax_rows<T>, zl::same_rows(x), cols).within(zl::tolerance<T>(cols));
}

}  // namespace

ZL_OP(torch_softmax, "rows", "cols");
