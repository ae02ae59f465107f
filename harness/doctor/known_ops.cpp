#include "known_ops.hpp"

#include <zl/bench.hpp>

namespace {

void ones(zl::Rows rows, double* out) {
  for (zl::i64 i = rows.first; i < rows.last; ++i) *out++ = 1;
}
void same(zl::Rows rows, double* out, const float* x) {
  for (zl::i64 i = rows.first; i < rows.last; ++i) *out++ = double{x[i]};
}
void sums(zl::Rows rows, double* out, const float* x, const float* y, float a) {
  for (zl::i64 i = rows.first; i < rows.last; ++i) *out++ = double{a} * double{x[i]} + double{y[i]};
}

template <class T>
void empty(zl::Case& c) {
  c.impl("own", zl::known::empty);
}

template <class T>
void spin(zl::Case& c) {
  const auto done = c.out<T>({1});
  c.impl("own", zl::known::spin, done, c.axis("ns"));
  c.expect(done, ones);
}

template <class T>
void copy(zl::Case& c) {
  const zl::i64 n = c.axis("n");
  const auto x = c.in<T>({n}, zl::normal());
  const auto y = c.out<T>({n});
  c.impl("own", zl::known::copy, y, x, n);
  c.expect(y, same, zl::same_rows(x));
}

template <class T>
void axpy(zl::Case& c) {
  const zl::i64 n = c.axis("n");
  const auto x = c.in<T>({n}, zl::normal());
  const auto y = c.in<T>({n}, zl::normal());
  const auto z = c.out<T>({n});
  c.impl("own", zl::known::axpy, z, x, y, 0.5f, n);
  c.expect(z, sums, zl::same_rows(x), zl::same_rows(y), 0.5f);
}

ZL_OP(empty, "n");
ZL_OP(spin, "ns");
ZL_OP(copy, "n");
ZL_OP(axpy, "n");

}  // namespace
