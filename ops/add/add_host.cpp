#include "add.hpp"
#include "zl/registry.hpp"

namespace ops {

template <class T>
void add(zl::Stream, T* y, const T* a, const T* b, zl::i64 n) {
  for (zl::i64 i = 0; i < n; ++i) {
    y[i] = zl::from_float<T>(static_cast<float>(zl::to_double(a[i]) + zl::to_double(b[i])));
  }
}

ZL_INSTANTIATE(add)

}  // namespace ops
