#include "cross_entropy.hpp"

#include <algorithm>
#include <cmath>

#include "zl/bench.hpp"

namespace {

template <class T>
void cross_entropy_rows(zl::Rows rows, double* loss, const T* x, const zl::i64* target,
                        zl::i64 classes) {
  x += rows.first * classes;
  for (zl::i64 r = rows.first; r < rows.last; ++r, x += classes) {
    double largest = -INFINITY;
    for (zl::i64 c = 0; c < classes; ++c) largest = std::max(largest, zl::to_double(x[c]));
    double sum = 0;
    for (zl::i64 c = 0; c < classes; ++c) sum += std::exp(zl::to_double(x[c]) - largest);
    *loss++ = largest - zl::to_double(x[target[r]]) + std::log(sum);
  }
}

template <class T>
void cross_entropy(zl::Case& c) {
  const zl::i64 rows = c.axis("rows"), classes = c.axis("classes");
  auto x = c.in<T>({rows, classes}, zl::normal());
  auto target = c.in<zl::i64>({rows}, zl::integers(0, classes));
  auto loss = c.out<T>({rows});
  c.flops(4.0 * static_cast<double>(rows) * static_cast<double>(classes));
  c.impl("own", ops::cross_entropy<T>, loss, x, target, rows, classes);
  // The sum is a tree's, of positive terms that a rounded exponent makes good to a few units of
  // binary32; then three numbers of up to 16 are added.
  c.expect(loss, cross_entropy_rows<T>, zl::same_rows(x), zl::same_rows(target), classes)
      .within(zl::tolerance<T>(3, 16));
}

}  // namespace

ZL_OP(cross_entropy, "rows", "classes");
