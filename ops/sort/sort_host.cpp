#include <algorithm>
#include <vector>

#include "shared/ordered.hpp"
#include "sort.hpp"
#include "zl/registry.hpp"

namespace ops {

template <class T>
void sort(zl::Stream, T* y, const T* x, zl::u8*, zl::i64 rows, zl::i64 cols) {
  std::vector<std::uint32_t> row(static_cast<std::size_t>(cols));
  for (zl::i64 r = 0; r < rows; ++r, x += cols, y += cols) {
    std::transform(x, x + cols, row.begin(), [](T value) { return to_ordered(value); });
    std::sort(row.begin(), row.end());
    std::transform(row.begin(), row.end(), y, from_ordered<T>);
  }
}

ZL_INSTANTIATE(sort)

}  // namespace ops
