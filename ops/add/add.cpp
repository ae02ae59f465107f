#include "add.hpp"

#include "zl/bench.hpp"

namespace {

template <class T>
void add_rows(zl::Rows rows, double* y, const T* a, const T* b) {
  for (zl::i64 i = rows.first; i < rows.last; ++i) {
    *y++ = zl::to_double(a[i]) + zl::to_double(b[i]);
  }
}

template <class T>
void add(zl::Case& c) {
  const zl::i64 n = c.axis("n");
  auto a = c.in<T>({n}, zl::normal());
  auto b = c.in<T>({n}, zl::normal());
  auto y = c.out<T>({n});
  c.flops(static_cast<double>(n));
  c.impl("own", ops::add<T>, y, a, b, n);
  c.expect(y, add_rows<T>, zl::same_rows(a), zl::same_rows(b));
}

}  // namespace

ZL_OP(add, "n");
