#include "sum.hpp"
#include "zl/registry.hpp"

namespace ops {

template <class T>
void sum(zl::Stream, T* y, const T* x, zl::u8*, zl::i64 rows, zl::i64 cols) {
  for (zl::i64 r = 0; r < rows; ++r, x += cols) {
    double total = 0;
    for (zl::i64 j = 0; j < cols; ++j) total += zl::to_double(x[j]);
    y[r] = zl::from_float<T>(static_cast<float>(total));
  }
}

ZL_INSTANTIATE(sum)

}  // namespace ops
