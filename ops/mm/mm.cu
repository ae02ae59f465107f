#include <algorithm>
#include <climits>

#include "mm.hpp"
#include "mm_fma.cuh"
#include "mm_tensor.cuh"
#include "shared/vector.cuh"
#include "zl/gpu.hpp"
#include "zl/registry.hpp"

namespace ops {
namespace {

// Many rows and columns; too few of them to give every multiprocessor a large tile; few rows.
using TensorLarge = TensorShape<128, 128, 32, 2, 4, 4, 2>;
using TensorMedium = TensorShape<64, 64, 32, 2, 2, 4, 4>;
using TensorFlat = TensorShape<16, 64, 64, 1, 4, 6, 2>;
template <class T>
using FmaLarge = FmaShape<T, 8, 2, 16, 256, 4, 1>;
template <class T>
using FmaMedium = FmaShape<T, 4, 1, 16, 256, 4, 2>;
template <class T>
using FmaFlat = FmaShape<T, 2, 1, 32, 128, 4, 2>;

/// Moore Threads' matrix instructions are not those of mm_tensor.cuh.
#ifdef ZL_BACKEND_MUSA
template <class T>
inline constexpr bool on_tensor_cores = false;
#else
template <class T>
inline constexpr bool on_tensor_cores = sizeof(T) == 2;
#endif

template <class S>
zl::i64 tiles(zl::i64 m, zl::i64 n) {
  return ((m + S::block_m - 1) / S::block_m) * ((n + S::block_n - 1) / S::block_n);
}

template <class S, class Kernel, class T>
void launch(zl::gpu::NativeStream stream, Kernel kernel, T* c, Matrix<T> a, Matrix<T> b) {
  if constexpr (S::shared_bytes > 48 * 1024) {  // what a kernel gets without asking
    zl::gpu::allow_shared_memory(kernel, S::shared_bytes);
  }
  const auto blocks = static_cast<unsigned>(tiles<S>(a.rows, b.cols));
  kernel<<<blocks, S::threads, S::shared_bytes, stream>>>(c, a, b);
  zl::gpu::check_launch("mm kernel");
}

template <class S, class T>
void launch_shape(zl::gpu::NativeStream stream, T* c, Matrix<T> a, Matrix<T> b) {
  const bool aligned = allows_vectors(a.cols * zl::i64{sizeof(T)}, a.data, b.data, c) &&
                       b.cols * zl::i64{sizeof(T)} % 16 == 0;
  if constexpr (on_tensor_cores<T>) {
    launch<S>(stream, aligned ? tensor_kernel<T, S, true> : tensor_kernel<T, S, false>, c, a, b);
  } else {
    launch<S>(stream, aligned ? fma_kernel<T, S, true> : fma_kernel<T, S, false>, c, a, b);
  }
}

/// With fewer large tiles, a quarter and more of a Hopper GPU's 132 multiprocessors are idle.
constexpr zl::i64 enough_tiles = 100;

template <class Large, class Medium, class Flat, class T>
void choose(zl::gpu::NativeStream stream, T* c, Matrix<T> a, Matrix<T> b) {
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
  if constexpr (on_tensor_cores<T>) {
    choose<TensorLarge, TensorMedium, TensorFlat>(stream, c, left, right);
  } else {
    choose<FmaLarge<T>, FmaMedium<T>, FmaFlat<T>>(stream, c, left, right);
  }
}

ZL_INSTANTIATE(mm)

}  // namespace ops
