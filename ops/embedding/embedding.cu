#include "embedding.hpp"
#include "shared/gather_rows.cuh"
#include "zl/registry.hpp"

namespace ops {

template <class T>
void embedding(zl::Stream stream, T* y, const T* table, const zl::i64* index, zl::i64 tokens,
               zl::i64 dim) {
  gather_rows(stream, y, table, index, tokens, dim);
}

ZL_INSTANTIATE(embedding)

}  // namespace ops
