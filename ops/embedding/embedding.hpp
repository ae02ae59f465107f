#pragma once

#include "zl/stream.hpp"
#include "zl/types.hpp"

namespace ops {

/// y[t][d] = table[index[t]][d] for `tokens` rows of `dim` elements, bit for bit. Every index must
/// be a row of the table.
template <class T>
void embedding(zl::Stream stream, T* y, const T* table, const zl::i64* index, zl::i64 tokens,
               zl::i64 dim);

}  // namespace ops
