#include "silu_and_mul.hpp"

#include <cmath>

#include "zl/bench.hpp"

namespace {

template <class T>
void silu_and_mul_rows(zl::Rows rows, double* y, const T* x, zl::i64 cols) {
  for (zl::i64 r = rows.first; r < rows.last; ++r, y += cols) {
    const T* const gate = x + r * 2 * cols;
    for (zl::i64 j = 0; j < cols; ++j) {
      const double g = zl::to_double(gate[j]);
      y[j] = g / (1 + std::exp(-g)) * zl::to_double(gate[cols + j]);
    }
  }
}

/// Besides the roundings of the output: the exponential, the sum, the quotient and the product are
/// good to a few units of binary32 each.
template <class T>
zl::Tolerance silu_tolerance() {
  auto tolerance = zl::tolerance<T>();
  tolerance.relative += 16 * 0x1p-24;
  return tolerance;
}

template <class T>
void silu_and_mul(zl::Case& c) {
  const zl::i64 rows = c.axis("rows"), cols = c.axis("cols");
  auto x = c.in<T>({rows, 2 * cols}, zl::normal());
  auto y = c.out<T>({rows, cols});
  c.flops(5.0 * static_cast<double>(rows) * static_cast<double>(cols));
  c.impl("own", ops::silu_and_mul<T>, y, x, rows, cols);
  c.expect(y, silu_and_mul_rows<T>, zl::same_rows(x), cols).within(silu_tolerance<T>());
}

}  // namespace

ZL_OP(silu_and_mul, "rows", "cols");
