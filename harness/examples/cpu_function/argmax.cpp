// harness/examples/cpu_function/argmax.cpp: a function of yours, and what zl-bench needs to know of
// it
#include <algorithm>
#include <limits>
#include <zl/bench.hpp>

namespace yours {
void argmax(int* index, const float* x, int rows, int cols) {
  for (int row = 0; row < rows; ++row, x += cols) {
    *index++ = static_cast<int>(std::max_element(x, x + cols) - x);
  }
}
}  // namespace yours

// The largest element of each row, and what an index of a call stands for: any index of an element
// as large is right.
void largest(zl::Rows rows, double* y, const float* x, zl::i64 cols) {
  for (zl::i64 row = rows.first; row < rows.last; ++row) {
    *y++ = *std::max_element(x + row * cols, x + (row + 1) * cols);
  }
}
void element(zl::Rows rows, double* index, const float* x, zl::i64 cols) {
  for (zl::i64 row = rows.first; row < rows.last; ++row, ++index) {
    const bool inside = *index >= 0 && *index < double(cols);
    *index = inside ? x[row * cols + zl::i64(*index)] : std::numeric_limits<double>::quiet_NaN();
  }
}

template <class T>
void argmax(zl::Case& c) {
  const zl::i64 rows = c.axis("rows");
  const zl::i64 cols = c.axis("cols");
  auto x = c.in<T>({rows, cols}, zl::normal());
  auto index = c.out<int>({rows});
  const auto call = [](zl::Stream, int* index, const float* x, zl::i64 rows, zl::i64 cols) {
    yours::argmax(index, x, int(rows), int(cols));
  };
  c.impl("own", call, index, x, rows, cols);
  c.expect(index, largest, zl::same_rows(x), cols).meaning(element, zl::same_rows(x), cols);
}
ZL_OP(argmax, "rows", "cols");
