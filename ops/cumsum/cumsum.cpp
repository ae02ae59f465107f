#include "cumsum.hpp"

#include <type_traits>

#include "zl/bench.hpp"

namespace {

template <class T>
void cumsum_rows(zl::Rows rows, double* y, const T* x, zl::i64 cols) {
  x += rows.first * cols;
  for (zl::i64 r = rows.first; r < rows.last; ++r, x += cols, y += cols) {
    double sum = 0;
    for (zl::i64 j = 0; j < cols; ++j) y[j] = sum += zl::to_double(x[j]);
  }
}

template <class T>
void cumsum(zl::Case& c) {
  const zl::i64 rows = c.axis("rows"), cols = c.axis("cols");
  constexpr bool whole = std::is_same_v<T, zl::i32>;
  auto x = c.in<T>({rows, cols}, whole ? zl::integers(-1000, 1000) : zl::normal());
  auto y = c.out<T>({rows, cols});
  auto workspace = c.scratch(ops::cumsum_workspace(rows, cols));
  c.flops(static_cast<double>(rows) * static_cast<double>(cols));
  c.impl("own", ops::cumsum<T>, y, x, workspace, rows, cols);
  if constexpr (zl::on_cuda) {
    auto cub_workspace = c.scratch(ops::cub_cumsum_workspace(rows, cols));
    c.impl("cub", ops::cub_cumsum<T>, y, x, cub_workspace, rows, cols);
  }
  c.expect(y, cumsum_rows<T>, zl::same_rows(x), cols).within(zl::tolerance<T>(cols));
}

}  // namespace

ZL_OP(cumsum, "rows", "cols");
