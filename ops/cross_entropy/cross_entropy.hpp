#pragma once

#include "zl/stream.hpp"
#include "zl/types.hpp"

namespace ops {

/// loss[r] = log(sum over c of exp(x[r][c])) - x[r][target[r]] for `rows` rows of `classes` logits,
/// in nats. Computed in binary32, rounded once. Every target must be a class: in [0, classes). A
/// row that holds NaN or +inf, or only -inf, has a loss of NaN; otherwise a target at -inf has inf.
template <class T>
void cross_entropy(zl::Stream stream, T* loss, const T* x, const zl::i64* target, zl::i64 rows,
                   zl::i64 classes);

}  // namespace ops
