#include "topk.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "zl/bench.hpp"

namespace {

/// What no element of a row is: where an index points outside or a second time to one element.
constexpr double nowhere = 1e300;

template <class T>
void value_rows(zl::Rows rows, double* values, const T* x, zl::i64 cols, zl::i64 k) {
  // NaN comes first.
  const auto before = [](double a, double b) { return std::isnan(a) ? !std::isnan(b) : a > b; };
  std::vector<double> row(static_cast<std::size_t>(cols));
  for (zl::i64 r = rows.first; r < rows.last; ++r) {
    std::transform(x + r * cols, x + (r + 1) * cols, row.begin(),
                   [](T v) { return zl::to_double(v); });
    std::partial_sort(row.begin(), row.begin() + k, row.end(), before);
    values = std::copy_n(row.begin(), k, values);
  }
}

template <class T>
void indexed_rows(zl::Rows rows, double* indices, const T* x, zl::i64 cols, zl::i64 k) {
  for (zl::i64 r = rows.first; r < rows.last; ++r, indices += k) {
    std::vector<bool> seen(static_cast<std::size_t>(cols));
    for (zl::i64 j = 0; j < k; ++j) {
      const bool inside = indices[j] >= 0 && indices[j] < static_cast<double>(cols);
      const auto at = inside ? static_cast<std::size_t>(indices[j]) : 0;
      const bool first = inside && !seen[at];
      indices[j] = first ? zl::to_double(x[r * cols + static_cast<zl::i64>(at)]) : nowhere;
      if (first) seen[at] = true;
    }
  }
}

template <class T>
void topk(zl::Case& c) {
  const zl::i64 rows = c.axis("rows"), cols = c.axis("cols"), k = c.axis("k");
  if (k > cols || (!zl::on_host && k > ops::most_k)) {
    throw zl::Error(zl::Errc::usage, "topk: k = " + std::to_string(k) + " of " +
                                         std::to_string(cols) + ", at most " +
                                         std::to_string(ops::most_k));
  }
  auto x = c.in<T>({rows, cols}, zl::normal());
  auto values = c.out<T>({rows, k});
  auto indices = c.out<zl::i64>({rows, k});
  c.impl("own", ops::topk<T>, values, indices, x, rows, cols, k);
  if constexpr (zl::on_cuda) {
    auto workspace = c.scratch(ops::cub_topk_workspace<T>(rows, cols));
    c.impl("cub", ops::cub_topk<T>, values, indices, x, workspace, rows, cols, k);
  }
  // Of x as a whole: it is quicker to copy than the many rows of one check are to draw again.
  c.expect(values, value_rows<T>, x, cols, k).within({0, 0});
  // Of equal elements any may be chosen: the indices are compared by what they point at.
  c.expect(indices, value_rows<T>, x, cols, k).within({0, 0}).meaning(indexed_rows<T>, x, cols, k);
}

}  // namespace

ZL_OP(topk, "rows", "cols", "k");
