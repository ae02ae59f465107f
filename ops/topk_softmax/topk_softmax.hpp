#pragma once

#include "zl/stream.hpp"
#include "zl/types.hpp"

namespace ops {

/// A router's gate: for each of `tokens` rows of `experts` logits the k experts of the largest
/// softmax probability, largest first, and those probabilities, which are not normalized again:
///
///     weights[t][j] = exp(logits[t][e]) / sum over all experts of exp(logits[t][.]), e = ids[t][j]
///
/// Of equal logits the expert with the smaller number comes first. weights and ids are
/// [tokens][k]. k <= experts. Logits are finite or -inf, at least one of a row finite.
template <class T>
void topk_softmax(zl::Stream stream, float* weights, zl::i32* ids, const T* logits, zl::i64 tokens,
                  zl::i64 experts, zl::i64 k);

}  // namespace ops
