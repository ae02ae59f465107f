#include <algorithm>

#include "embedding.hpp"
#include "zl/registry.hpp"

namespace ops {

template <class T>
void embedding(zl::Stream, T* y, const T* table, const zl::i64* index, zl::i64 tokens,
               zl::i64 dim) {
  for (zl::i64 t = 0; t < tokens; ++t) std::copy_n(table + index[t] * dim, dim, y + t * dim);
}

ZL_INSTANTIATE(embedding)

}  // namespace ops
