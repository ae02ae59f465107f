// harness/examples/random/noise.cpp: an op that draws random numbers
#include "noise.hpp"

#include <zl/bench.hpp>

void noise_rows(zl::Rows rows, double* y, const float* x, zl::Philox numbers) {
  for (zl::i64 i = rows.first; i < rows.last; ++i) {
    *y++ = double{x[i]} + double{kernels::drawn(numbers, i)};
  }
}

template <class T>
void noise(zl::Case& c) {
  const zl::i64 n = c.axis("n");
  auto x = c.in<T>({n}, zl::normal());
  auto y = c.out<T>({n});
  auto numbers = c.random((n + 3) / 4);  // blocks of four words a call; no two calls share one
  c.impl("own", kernels::noise, y, x, numbers, n);
  c.expect(y, noise_rows, zl::same_rows(x), numbers);
}

ZL_OP(noise, "n");
