// harness/examples/cuda_kernel/relu_perf.cu: what zl-bench needs to know of it
#include <zl/bench.hpp>

#include "relu.cuh"

void relu_rows(zl::Rows rows, double* y, const zl::f16* x) {
  for (zl::i64 i = rows.first; i < rows.last; ++i) *y++ = fmax(0, zl::to_double(x[i]));
}
template <class T>
void relu(zl::Case& c) {
  const zl::i64 n = c.axis("n");
  auto x = c.in<T>({n}, zl::normal());
  auto y = c.out<T>({n});
  c.impl("own", yours::relu, y, x, n);  // calls yours::relu(stream, y, x, n)
  c.expect(y, relu_rows, zl::same_rows(x));
}
ZL_OP(relu, "n");
