#pragma once

#include "zl/stream.hpp"
#include "zl/types.hpp"

namespace ops {

/// The longest `dim` that attention() takes on a GPU.
inline constexpr zl::i64 attention_most_dim = 256;

/// y[b][h][i] = sum over j of p[j] v[b][h][j], where p is the softmax over j of
/// q[b][h][i] . k[b][h][j] / sqrt(dim). All four tensors are [batch][heads][seq][dim]. `causal`:
/// only keys j <= i take part. Scores and sums are in binary32, each p[j] is rounded to T.
///
/// A score of NaN or +inf makes its row NaN. A causal row may also become NaN from an infinity or a
/// NaN in a row of v that it does not see: on tensor cores that row is multiplied by zero.
template <class T>
void attention(zl::Stream stream, T* y, const T* q, const T* k, const T* v, zl::i64 batch,
               zl::i64 heads, zl::i64 seq, zl::i64 dim, bool causal);

}  // namespace ops
