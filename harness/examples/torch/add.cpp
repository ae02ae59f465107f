// harness/examples/torch/add.cpp: an operator that writes into tensors that it is given
#include <ATen/ops/add.h>

#include <zl/torch.hpp>

namespace {

void add_rows(zl::Rows rows, double* out, const float* x, const float* y) {
  for (zl::i64 i = rows.first; i < rows.last; ++i) *out++ = double{x[i]} + double{y[i]};
}

template <class T>
void torch_add(zl::Case& c) {
  const zl::i64 n = c.axis("n");
  auto x = c.in<T>({n}, zl::normal());
  auto y = c.in<T>({n}, zl::normal());
  auto out = c.out<T>({n});
  const auto aten = [](at::Tensor out, const at::Tensor& x, const at::Tensor& y) {
    at::add_out(out, x, y);
  };
  zl::torch::impl(c, "aten", aten, out, x, y);
  c.expect(out, add_rows, zl::same_rows(x), zl::same_rows(y));
}

}  // namespace

ZL_OP(torch_add, "n");
