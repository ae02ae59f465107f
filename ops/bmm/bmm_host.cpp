#include "bmm.hpp"
#include "shared/matmul/host_product.hpp"
#include "zl/registry.hpp"

namespace ops {

template <class T>
void bmm(zl::Stream, T* c, const T* a, const T* b, zl::i64 batch, zl::i64 m, zl::i64 n, zl::i64 k) {
  for (zl::i64 i = 0; i < batch; ++i) {
    host_product(c + i * m * n, a + i * m * k, b + i * k * n, m, n, k);
  }
}

ZL_INSTANTIATE(bmm)

}  // namespace ops
