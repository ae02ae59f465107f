#pragma once

#include "shared/matmul/extents.hpp"
#include "shared/matmul/fma.cuh"
#include "shared/matmul/tensor.cuh"
#include "shared/vector.cuh"

namespace ops {

/// Moore Threads' matrix instructions are not those of tensor.cuh.
#ifdef ZL_BACKEND_MUSA
template <class T>
inline constexpr bool on_tensor_cores = false;
#else
template <class T>
inline constexpr bool on_tensor_cores = sizeof(T) == 2;
#endif

/// Many rows and columns; too few of them to give every multiprocessor a large tile; few rows.
template <class T, bool = on_tensor_cores<T>>
struct Shapes {
  using Large = FmaShape<8, 2, 16, 256, 4, 1>;
  using Medium = FmaShape<4, 1, 16, 256, 4, 2>;
  using Flat = FmaShape<2, 1, 32, 128, 4, 2>;
};
template <class T>
struct Shapes<T, true> {
  using Large = TensorShape<128, 128, 32, 2, 4, 4, 2>;
  using Medium = TensorShape<64, 64, 32, 2, 2, 4, 4>;
  using Flat = TensorShape<16, 64, 64, 1, 4, 6, 2>;
};

template <class S>
zl::i64 tiles(zl::i64 m, zl::i64 n) {
  return ((m + S::block_m - 1) / S::block_m) * ((n + S::block_n - 1) / S::block_n);
}

/// With fewer large tiles, a quarter and more of a Hopper GPU's 132 multiprocessors are idle.
inline constexpr zl::i64 enough_tiles = 100;

/// Calls `run` with the shape for `count` products of m x n each.
template <class T, class Run>
void with_shape(zl::i64 m, zl::i64 n, zl::i64 count, Run run) {
  using Large = typename Shapes<T>::Large;
  using Flat = typename Shapes<T>::Flat;
  if (m <= Flat::block_m) {
    run(Flat{});
  } else if (count * tiles<Large>(m, n) >= enough_tiles) {
    run(Large{});
  } else {
    run(typename Shapes<T>::Medium{});
  }
}

/// Whether rows of `cols` elements from `pointer` on start at multiples of 16 bytes.
template <class T>
bool has_aligned_rows(zl::i64 cols, const T* pointer) {
  return allows_vectors(cols * zl::i64{sizeof(T)}, pointer);
}

/// Launches `kernel` with the dynamic shared memory that shape S needs for a right operand B.
template <class S, class B, class... P, class... Args>
void launch_product(zl::gpu::NativeStream stream, dim3 grid, void (*kernel)(P...), Args... args) {
  constexpr int bytes = S::template shared_bytes<B>;
  if constexpr (bytes > 48 * 1024) {  // what a kernel gets without asking
    zl::gpu::allow_shared_memory(kernel, bytes);
  }
  kernel<<<grid, S::threads, bytes, stream>>>(args...);
  zl::gpu::check_launch("product kernel");
}

}  // namespace ops
