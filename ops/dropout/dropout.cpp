#include "dropout.hpp"

#include "zl/bench.hpp"

namespace {

double kept(zl::Philox draws, zl::i64 i, double p) {
  const auto block = zl::draw(draws, static_cast<std::uint64_t>(i / 4));
  return zl::to_uniform(block.word[i % 4]) >= p ? 1 : 0;
}

void mask_rows(zl::Rows rows, double* mask, zl::Philox draws, double p) {
  for (zl::i64 i = rows.first; i < rows.last; ++i) *mask++ = kept(draws, i, p);
}

template <class T>
void dropout_rows(zl::Rows rows, double* y, const T* x, zl::Philox draws, double p) {
  for (zl::i64 i = rows.first; i < rows.last; ++i) {
    *y++ = kept(draws, i, p) != 0 ? zl::to_double(x[i]) / (1 - p) : 0;
  }
}

template <class T>
void dropout(zl::Case& c) {
  const zl::i64 n = c.axis("n");
  const double p = 0.5;
  auto x = c.in<T>({n}, zl::normal());
  auto y = c.out<T>({n});
  auto mask = c.out<zl::u8>({n});
  auto draws = c.random((n + 3) / 4);
  c.impl("own", ops::dropout<T>, y, mask, x, draws, p, n);
  c.expect(mask, mask_rows, draws, p);
  c.expect(y, dropout_rows<T>, zl::same_rows(x), draws, p);
}

}  // namespace

ZL_OP(dropout, "n");
