#pragma once

#include <vector>

#include "zl/case.hpp"

namespace ops {

/// Rows of c = a b, row-major, in double: a reference.
template <class T>
void product_rows(zl::Rows rows, double* c, const T* a, const T* b, zl::i64 n, zl::i64 k) {
  std::vector<double> b_row(static_cast<std::size_t>(n));
  for (zl::i64 p = 0; p < k; ++p) {
    for (zl::i64 j = 0; j < n; ++j) b_row[j] = zl::to_double(b[p * n + j]);
    for (zl::i64 i = rows.first; i < rows.last; ++i) {
      const double left = zl::to_double(a[i * k + p]);
      double* const out = c + (i - rows.first) * n;
      for (zl::i64 j = 0; j < n; ++j) out[j] += left * b_row[j];
    }
  }
}

}  // namespace ops
