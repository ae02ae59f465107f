#pragma once

#include "zl/philox.hpp"
#include "zl/stream.hpp"
#include "zl/types.hpp"

namespace ops {

/// mask[i] = u[i] >= p and y[i] = mask[i] ? x[i] / (1 - p) : 0 for n elements, where u[i] is word
/// i % 4 of block i / 4 of `draws` as a number in [0, 1). 0 <= p < 1.
template <class T>
void dropout(zl::Stream stream, T* y, zl::u8* mask, const T* x, zl::Philox draws, double p,
             zl::i64 n);

}  // namespace ops
