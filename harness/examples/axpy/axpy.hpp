// harness/examples/axpy/axpy.hpp: one signature for every backend
#pragma once
#include <zl/stream.hpp>
#include <zl/types.hpp>

namespace kernels {
template <class T>
void axpy(zl::Stream stream, T* out, const T* x, const T* y, float a, zl::i64 n);
}
