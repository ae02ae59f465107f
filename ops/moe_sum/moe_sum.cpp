#include "moe_sum.hpp"

#include "zl/bench.hpp"

namespace {

template <class T>
void moe_sum_rows(zl::Rows rows, double* y, const T* x, zl::i64 k, zl::i64 dim) {
  x += rows.first * k * dim;
  for (zl::i64 t = rows.first; t < rows.last; ++t, y += dim) {
    for (zl::i64 e = 0; e < k; ++e, x += dim) {
      for (zl::i64 d = 0; d < dim; ++d) y[d] += zl::to_double(x[d]);
    }
  }
}

template <class T>
void moe_sum(zl::Case& c) {
  const zl::i64 tokens = c.axis("tokens"), k = c.axis("k"), dim = c.axis("dim");
  auto x = c.in<T>({tokens, k * dim}, zl::normal());  // a token's experts are one row
  auto y = c.out<T>({tokens, dim});
  c.flops(static_cast<double>(tokens) * static_cast<double>(k) * static_cast<double>(dim));
  c.impl("own", ops::moe_sum<T>, y, x, tokens, k, dim);
  c.expect(y, moe_sum_rows<T>, zl::same_rows(x), k, dim).within(zl::tolerance<T>(k));
}

}  // namespace

ZL_OP(moe_sum, "tokens", "k", "dim");
