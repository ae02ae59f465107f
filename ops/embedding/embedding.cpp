#include "embedding.hpp"

#include "zl/bench.hpp"

namespace {

template <class T>
void embedding_rows(zl::Rows rows, double* y, const T* table, const zl::i64* index, zl::i64 dim) {
  for (zl::i64 t = rows.first; t < rows.last; ++t) {
    for (zl::i64 d = 0; d < dim; ++d) *y++ = zl::to_double(table[index[t] * dim + d]);
  }
}

template <class T>
void embedding(zl::Case& c) {
  const zl::i64 vocab = c.axis("vocab"), dim = c.axis("dim"), tokens = c.axis("tokens");
  auto table = c.in<T>({vocab, dim}, zl::normal());
  auto index = c.in<zl::i64>({tokens}, zl::integers(0, vocab));
  auto y = c.out<T>({tokens, dim});
  // The rows read and written, a row drawn twice counted twice; not the table.
  c.bytes(static_cast<double>(tokens) * (2.0 * dim * sizeof(T) + sizeof(zl::i64)));
  c.impl("own", ops::embedding<T>, y, table, index, tokens, dim);
  c.expect(y, embedding_rows<T>, table, zl::same_rows(index), dim).within({0, 0});
}

}  // namespace

ZL_OP(embedding, "vocab", "dim", "tokens");
