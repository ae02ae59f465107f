#pragma once

#include "zl/stream.hpp"
#include "zl/types.hpp"

namespace ops {

/// y[i] = a[i] + b[i] for n elements, rounded once.
template <class T>
void add(zl::Stream stream, T* y, const T* a, const T* b, zl::i64 n);

}  // namespace ops
