#include "sort.hpp"

#include <algorithm>
#include <cmath>

#include "zl/bench.hpp"

namespace {

template <class T>
void sorted_rows(zl::Rows rows, double* y, const T* x, zl::i64 cols) {
  for (zl::i64 r = rows.first; r < rows.last; ++r, y += cols) {
    for (zl::i64 j = 0; j < cols; ++j) y[j] = zl::to_double(x[r * cols + j]);
    double* const numbers = std::partition(y, y + cols, [](double v) { return !std::isnan(v); });
    std::sort(y, numbers);
  }
}

template <class T>
zl::Fill keys() {
  if (zl::is_floating(zl::dtype_of_v<T>)) return zl::normal();
  return zl::integers(-(1 << 30), 1 << 30);
}

template <class T>
void sort(zl::Case& c) {
  const zl::i64 rows = c.axis("rows"), cols = c.axis("cols");
  auto x = c.in<T>({rows, cols}, keys<T>());
  auto y = c.out<T>({rows, cols});
  auto workspace = c.scratch(ops::sort_workspace(rows, cols));
  c.impl("own", ops::sort<T>, y, x, workspace, rows, cols);
  if constexpr (zl::on_cuda) {
    auto cub_workspace = c.scratch(ops::cub_sort_workspace(rows, cols));
    c.impl("cub", ops::cub_sort<T>, y, x, cub_workspace, rows, cols);
  }
  c.expect(y, sorted_rows<T>, zl::same_rows(x), cols).within({0, 0});
}

}  // namespace

ZL_OP(sort, "rows", "cols");
