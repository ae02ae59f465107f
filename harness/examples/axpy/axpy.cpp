// harness/examples/axpy/axpy.cpp: the case, once for every backend
#include "axpy.hpp"

#include <zl/bench.hpp>

template <class T>
void axpy_rows(zl::Rows rows, double* out, const T* x, const T* y, float a) {
  for (zl::i64 i = rows.first; i < rows.last; ++i) {
    *out++ = double{a} * zl::to_double(x[i]) + zl::to_double(y[i]);
  }
}

template <class T>
void axpy(zl::Case& c) {
  const zl::i64 n = c.axis("n");
  auto x = c.in<T>({n}, zl::normal());
  auto y = c.in<T>({n}, zl::normal());
  auto out = c.out<T>({n});
  c.flops(2.0 * double(n));
  c.impl("own", kernels::axpy<T>, out, x, y, 0.5f, n);  // axpy(stream, out, x, y, 0.5f, n)
  c.expect(out, axpy_rows<T>, zl::same_rows(x), zl::same_rows(y), 0.5f);
}

ZL_OP(axpy, "n");
