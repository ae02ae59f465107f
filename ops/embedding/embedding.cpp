#include "embedding.hpp"

#include <cstdint>
#include <set>
#include <vector>

#include "zl/bench.hpp"
#include "zl/philox.hpp"

namespace {

template <class T>
void embedding_rows(zl::Rows rows, double* y, const T* table, const zl::i64* index, zl::i64 dim) {
  for (zl::i64 t = rows.first; t < rows.last; ++t) {
    for (zl::i64 d = 0; d < dim; ++d) *y++ = zl::to_double(table[index[t] * dim + d]);
  }
}

/// A row for each token, the same in every run.
std::vector<double> drawn_rows(zl::i64 vocab, zl::i64 tokens) {
  constexpr std::uint64_t seed = 0x5EED;
  std::vector<double> rows;
  for (zl::i64 t = 0; t < tokens; ++t) {
    const std::uint64_t word = zl::philox4x32_10(static_cast<std::uint64_t>(t), 0, seed).word[0];
    rows.push_back(static_cast<double>(word * static_cast<std::uint64_t>(vocab) >> 32));
  }
  return rows;
}

template <class T>
void embedding(zl::Case& c) {
  const zl::i64 vocab = c.axis("vocab"), dim = c.axis("dim"), tokens = c.axis("tokens");
  auto table = c.in<T>({vocab, dim}, zl::normal());
  const std::vector<double> rows = drawn_rows(vocab, tokens);
  auto index = c.in<zl::i64>({tokens}, zl::values(rows));
  auto y = c.out<T>({tokens, dim});
  // The rows written, and those read, one drawn twice once; not the table.
  const auto read = static_cast<double>(std::set<double>(rows.begin(), rows.end()).size());
  const auto written = static_cast<double>(tokens);
  c.bytes((read + written) * static_cast<double>(dim) * sizeof(T) + written * sizeof(zl::i64));
  c.impl("own", ops::embedding<T>, y, table, index, tokens, dim);
  c.expect(y, embedding_rows<T>, table, zl::same_rows(index), dim).within({0, 0});
}

}  // namespace

ZL_OP(embedding, "vocab", "dim", "tokens");
