#include <algorithm>
#include <functional>
#include <vector>

#include "shared/ordered.hpp"
#include "topk.hpp"
#include "zl/registry.hpp"

namespace ops {

template <class T>
void topk(zl::Stream, T* values, zl::i64* indices, const T* x, zl::i64 rows, zl::i64 cols,
          zl::i64 k) {
  // An element above, below it what is larger for smaller indices.
  std::vector<std::uint64_t> row(static_cast<std::size_t>(cols));
  for (zl::i64 r = 0; r < rows; ++r, x += cols) {
    for (zl::i64 j = 0; j < cols; ++j) {
      const std::uint64_t element = to_ordered(static_cast<float>(zl::to_double(x[j])));
      row[j] = element << 32 | (0xFFFFFFFFu - static_cast<std::uint32_t>(j));
    }
    std::partial_sort(row.begin(), row.begin() + k, row.end(), std::greater<>());
    for (zl::i64 j = 0; j < k; ++j) {
      *indices = 0xFFFFFFFFu - static_cast<std::uint32_t>(row[j]);
      *values++ = x[*indices++];
    }
  }
}

ZL_INSTANTIATE(topk)

}  // namespace ops
