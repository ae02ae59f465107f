// harness/examples/axpy/axpy_host.cpp: computes; on a GPU it would launch a kernel on the stream
#include <zl/registry.hpp>

#include "axpy.hpp"

namespace kernels {
template <class T>
void axpy(zl::Stream, T* out, const T* x, const T* y, float a, zl::i64 n) {
  for (zl::i64 i = 0; i < n; ++i) {
    out[i] = zl::from_float<T>(a * float(zl::to_double(x[i])) + float(zl::to_double(y[i])));
  }
}
ZL_INSTANTIATE(axpy)  // for every entry of TYPES
}  // namespace kernels
