// An op on the fake device: y = 2 x in one kernel of 50 us.
#include "tests/fake/fake_device.hpp"
#include "zl/bench.hpp"

namespace {

void twice_rows(zl::Rows rows, double* out, const float* x) {
  for (zl::i64 i = rows.first; i < rows.last; ++i) *out++ = 2.0 * static_cast<double>(x[i]);
}

template <class T>
void twice(zl::Case& c) {
  const zl::i64 n = c.axis("n");
  const auto x = c.in<T>({n}, zl::normal());
  const auto y = c.out<T>({n});
  c.impl(
      "own",
      [n](zl::Stream stream, T* out, const T* in) {
        zl::fake::launch(stream, 0.05, [=] {
          for (zl::i64 i = 0; i < n; ++i) out[i] = 2 * in[i];
        });
      },
      y, x);
  c.expect(y, twice_rows, zl::same_rows(x));
}

}  // namespace

ZL_OP(twice, "n");
