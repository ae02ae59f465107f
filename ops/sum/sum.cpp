#include "sum.hpp"

#include "zl/bench.hpp"

namespace {

template <class T>
void sum_rows(zl::Rows rows, double* y, const T* x, zl::i64 cols) {
  x += rows.first * cols;
  for (zl::i64 r = rows.first; r < rows.last; ++r, x += cols, ++y) {
    *y = 0;
    for (zl::i64 j = 0; j < cols; ++j) *y += zl::to_double(x[j]);
  }
}

template <class T>
void sum(zl::Case& c) {
  const zl::i64 rows = c.axis("rows"), cols = c.axis("cols");
  auto x = c.in<T>({rows, cols}, zl::normal());
  auto y = c.out<T>({rows});
  auto workspace = c.scratch(ops::sum_workspace(rows, cols));
  c.flops(static_cast<double>(rows) * static_cast<double>(cols));
  c.impl("own", ops::sum<T>, y, x, workspace, rows, cols);
  if constexpr (zl::on_cuda) {
    auto cub_workspace = c.scratch(ops::cub_sum_workspace);
    c.impl("cub", ops::cub_sum<T>, y, x, cub_workspace, rows, cols);
  }
  c.expect(y, sum_rows<T>, zl::same_rows(x), cols).within(zl::tolerance<T>(cols));
}

}  // namespace

ZL_OP(sum, "rows", "cols");
