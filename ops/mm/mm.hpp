#pragma once

#include "zl/stream.hpp"
#include "zl/types.hpp"

namespace ops {

/// c = a b, row-major: a[m][k], b[k][n], c[m][n]. Products and sums in binary32 (f16 and bf16 on
/// tensor cores where there are any; f32 without a shorter format), rounded once.
template <class T>
void mm(zl::Stream stream, T* c, const T* a, const T* b, zl::i64 m, zl::i64 n, zl::i64 k);

}  // namespace ops
