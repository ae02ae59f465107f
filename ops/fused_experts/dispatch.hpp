#pragma once

#include "zl/stream.hpp"
#include "zl/types.hpp"

namespace ops {

/// y[i] = x[token[i]] for `pairs` rows of `hidden` elements: the tokens as their experts read them.
template <class T>
void dispatch(zl::Stream stream, T* y, const T* x, const zl::i32* token, zl::i64 pairs,
              zl::i64 hidden);

/// y[t] = sum over j < k of weight[p] x[place[p]] with p = t * k + j, for `tokens` rows of `hidden`
/// elements. Summed in binary32 in the order of j, rounded once.
template <class T>
void combine(zl::Stream stream, T* y, const T* x, const zl::i32* place, const float* weight,
             zl::i64 tokens, zl::i64 k, zl::i64 hidden);

}  // namespace ops
