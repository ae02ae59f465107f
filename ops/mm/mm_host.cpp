#include "mm.hpp"
#include "shared/matmul/host_product.hpp"
#include "zl/registry.hpp"

namespace ops {

template <class T>
void mm(zl::Stream, T* c, const T* a, const T* b, zl::i64 m, zl::i64 n, zl::i64 k) {
  host_product(c, a, b, m, n, k);
}

ZL_INSTANTIATE(mm)

}  // namespace ops
