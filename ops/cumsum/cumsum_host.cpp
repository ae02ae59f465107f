#include <type_traits>

#include "cumsum.hpp"
#include "zl/registry.hpp"

namespace ops {

template <class T>
void cumsum(zl::Stream, T* y, const T* x, zl::u8*, zl::i64 rows, zl::i64 cols) {
  for (zl::i64 r = 0; r < rows; ++r, x += cols, y += cols) {
    if constexpr (std::is_same_v<T, zl::i32>) {
      std::uint32_t sum = 0;
      for (zl::i64 j = 0; j < cols; ++j) {
        sum += static_cast<std::uint32_t>(x[j]);
        y[j] = static_cast<zl::i32>(sum);
      }
    } else {
      double sum = 0;
      for (zl::i64 j = 0; j < cols; ++j) {
        sum += zl::to_double(x[j]);
        y[j] = zl::from_float<T>(static_cast<float>(sum));
      }
    }
  }
}

ZL_INSTANTIATE(cumsum)

}  // namespace ops
