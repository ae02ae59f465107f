#include <algorithm>
#include <climits>

#include "mm.hpp"
#include "mm_fma.cuh"
#include "mm_tensor.cuh"
#include "shared/cuda_check.hpp"
#include "shared/vector.cuh"
#include "zl/registry.hpp"

namespace ops {
namespace {

// Many rows and columns; too few of them to give every multiprocessor a large tile; few rows.
using TensorLarge = TensorShape<128, 128, 32, 2, 4, 4, 2>;
using TensorMedium = TensorShape<64, 64, 32, 2, 2, 4, 4>;
using TensorFlat = TensorShape<16, 64, 64, 1, 4, 6, 2>;
using FmaLarge = FmaShape<8, 2, 16, 256, 4, 1>;
using FmaMedium = FmaShape<4, 1, 16, 256, 4, 2>;
using FmaFlat = FmaShape<2, 1, 32, 128, 4, 2>;

template <class S>
zl::i64 tiles(zl::i64 m, zl::i64 n) {
  return ((m + S::block_m - 1) / S::block_m) * ((n + S::block_n - 1) / S::block_n);
}

template <class S, class Kernel, class T>
void launch(cudaStream_t stream, Kernel kernel, T* c, Matrix<T> a, Matrix<T> b) {
  if constexpr (S::shared_bytes > 48 * 1024) {  // what a kernel gets without asking
    check(cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel),
                               cudaFuncAttributeMaxDynamicSharedMemorySize, S::shared_bytes),
          "cudaFuncSetAttribute");
  }
  const auto blocks = static_cast<unsigned>(tiles<S>(a.rows, b.cols));
  kernel<<<blocks, S::threads, S::shared_bytes, stream>>>(c, a, b);
  check_launch("mm kernel");
}

template <class S, class T>
void launch_shape(cudaStream_t stream, T* c, Matrix<T> a, Matrix<T> b) {
  const bool aligned = allows_vectors(a.cols * zl::i64{sizeof(T)}, a.data, b.data, c) &&
                       b.cols * zl::i64{sizeof(T)} % 16 == 0;
  if constexpr (sizeof(T) == 4) {
    launch<S>(stream, aligned ? fma_kernel<S, true> : fma_kernel<S, false>, c, a, b);
  } else {
    launch<S>(stream, aligned ? tensor_kernel<T, S, true> : tensor_kernel<T, S, false>, c, a, b);
  }
}

/// With fewer large tiles, a quarter and more of a Hopper GPU's 132 multiprocessors are idle.
constexpr zl::i64 enough_tiles = 100;

template <class Large, class Medium, class Flat, class T>
void choose(cudaStream_t stream, T* c, Matrix<T> a, Matrix<T> b) {
  if (a.rows <= Flat::block_m) {
    launch_shape<Flat>(stream, c, a, b);
  } else if (tiles<Large>(a.rows, b.cols) >= enough_tiles) {
    launch_shape<Large>(stream, c, a, b);
  } else {
    launch_shape<Medium>(stream, c, a, b);
  }
}

}  // namespace

template <class T>
void mm(zl::Stream stream, T* c, const T* a, const T* b, zl::i64 m, zl::i64 n, zl::i64 k) {
  if (m == 0 || n == 0) return;
  // Room for the tiles that reach past the edges.
  constexpr zl::i64 most = INT_MAX - 1024;
  if (std::max({m, n, k}) > most) {
    throw zl::Error(zl::Errc::usage, "mm: an axis is longer than " + std::to_string(most));
  }
  const Matrix<T> left{a, static_cast<int>(m), static_cast<int>(k)};
  const Matrix<T> right{b, static_cast<int>(k), static_cast<int>(n)};
  if constexpr (sizeof(T) == 4) {
    choose<FmaLarge, FmaMedium, FmaFlat>(stream, c, left, right);
  } else {
    choose<TensorLarge, TensorMedium, TensorFlat>(stream, c, left, right);
  }
}

ZL_INSTANTIATE(mm)

}  // namespace ops
