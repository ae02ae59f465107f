#pragma once

#include "zl/stream.hpp"
#include "zl/types.hpp"

namespace ops {

/// c[i] = a[i] b[i] for i in [0, batch), row-major: a[batch][m][k], b[batch][k][n],
/// c[batch][m][n]. Products and sums as in mm().
template <class T>
void bmm(zl::Stream stream, T* c, const T* a, const T* b, zl::i64 batch, zl::i64 m, zl::i64 n,
         zl::i64 k);

}  // namespace ops
