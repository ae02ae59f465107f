
#include "mm.hpp"
#include "shared/matmul/shape.cuh"
#include "zl/gpu.hpp"
#include "zl/registry.hpp"

namespace ops {
namespace {

template <class T, class S, bool Aligned>
__global__ void __launch_bounds__(S::threads, Aligned ? S::blocks_per_sm : 1)
    mm_kernel(T* c, Matrix<T> a, Matrix<T> b) {
  const TileOrigin origin = tile_origin(blockIdx.x, a.rows, b.cols, S::block_m, S::block_n);
  S::template product<Aligned>(c, a, b, origin);
}

}  // namespace

template <class T>
void mm(zl::Stream stream, T* c, const T* a, const T* b, zl::i64 m, zl::i64 n, zl::i64 k) {
  if (m == 0 || n == 0) return;
  check_extents("mm", {m, n, k});
  const Matrix<T> left{a, static_cast<int>(m), static_cast<int>(k)};
  const Matrix<T> right{b, static_cast<int>(k), static_cast<int>(n)};
  const bool aligned = has_aligned_rows(k, a) && has_aligned_rows(n, b) && has_aligned_rows(n, c);
  with_shape<T>(m, n, 1, [&](auto shape) {
    using S = decltype(shape);
    launch_product<S, Matrix<T>>(stream, dim3(static_cast<unsigned>(tiles<S>(m, n))),
                                 aligned ? mm_kernel<T, S, true> : mm_kernel<T, S, false>, c, left,
                                 right);
  });
}

ZL_INSTANTIATE(mm)

}  // namespace ops
