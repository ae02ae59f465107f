#include <algorithm>

#include "bmm.hpp"
#include "shared/matmul/shape.cuh"
#include "zl/gpu.hpp"
#include "zl/registry.hpp"

namespace ops {
namespace {

/// What a grid's second and third extent may be.
constexpr zl::i64 most_blocks = 65535;

/// Product blockIdx.y + gridDim.y * blockIdx.z.
template <class T, class S, bool Aligned>
__global__ void __launch_bounds__(S::threads, Aligned ? S::blocks_per_sm : 1)
    bmm_kernel(T* c, Matrix<T> a, Matrix<T> b, zl::i64 batch) {
  const zl::i64 i = blockIdx.y + static_cast<zl::i64>(gridDim.y) * blockIdx.z;
  if (i >= batch) return;
  c += i * a.rows * b.cols;
  a.data += i * a.rows * a.cols;
  b.data += i * b.rows * b.cols;
  const TileOrigin origin = tile_origin(blockIdx.x, a.rows, b.cols, S::block_m, S::block_n);
  S::template product<Aligned>(c, a, b, origin);
}

}  // namespace

template <class T>
void bmm(zl::Stream stream, T* c, const T* a, const T* b, zl::i64 batch, zl::i64 m, zl::i64 n,
         zl::i64 k) {
  if (batch == 0 || m == 0 || n == 0) return;
  check_extents("bmm", {m, n, k});
  const Matrix<T> left{a, static_cast<int>(m), static_cast<int>(k)};
  const Matrix<T> right{b, static_cast<int>(k), static_cast<int>(n)};
  const bool aligned = has_aligned_rows(k, a) && has_aligned_rows(n, b) && has_aligned_rows(n, c);
  const zl::i64 depth = (batch + most_blocks - 1) / most_blocks;
  const zl::i64 height = (batch + depth - 1) / depth;
  with_shape<T>(m, n, batch, [&](auto shape) {
    using S = decltype(shape);
    const dim3 grid(static_cast<unsigned>(tiles<S>(m, n)), static_cast<unsigned>(height),
                    static_cast<unsigned>(depth));
    launch_product<S, Matrix<T>>(stream, grid,
                                 aligned ? bmm_kernel<T, S, true> : bmm_kernel<T, S, false>, c,
                                 left, right, batch);
  });
}

ZL_INSTANTIATE(bmm)

}  // namespace ops
