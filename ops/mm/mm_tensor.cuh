#pragma once

#include "tile.cuh"

namespace ops {

#ifdef ZL_BACKEND_MUSA

// Declared for the kernel's template to be read; nothing there instantiates it.
template <bool Transposed>
__device__ void load_matrices(std::uint32_t (&to)[4], const void* row);
template <class T>
__device__ void multiply(float (&d)[4], const std::uint32_t (&a)[4], std::uint32_t b0,
                         std::uint32_t b1);

#else

/// Four 8x8 matrices of 16-bit elements from shared memory, each lane giving one row's address;
/// `Transposed` hands out their transposes.
template <bool Transposed>
__device__ void load_matrices(std::uint32_t (&to)[4], const void* row) {
  const auto address = static_cast<std::uint32_t>(__cvta_generic_to_shared(row));
  if constexpr (Transposed) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];\n"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(address)
                 : "memory");
  } else {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];\n"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(address)
                 : "memory");
  }
}

/// d += a b on the tensor cores, 16x8x16.
template <class T>
__device__ void multiply(float (&d)[4], const std::uint32_t (&a)[4], std::uint32_t b0,
                         std::uint32_t b1) {
  if constexpr (std::is_same_v<T, zl::f16>) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
        "{%8, %9}, {%0, %1, %2, %3};\n"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
  } else {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
        "{%8, %9}, {%0, %1, %2, %3};\n"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
  }
}

#endif

/// One block's part of a product: BlockM x BlockN, Depth of k a stage, WarpsM x WarpsN warps.
template <int BlockM_, int BlockN_, int Depth_, int WarpsM_, int WarpsN_, int Stages_, int Blocks_>
struct TensorShape {
  static constexpr int block_m = BlockM_, block_n = BlockN_, depth = Depth_;
  static constexpr int warps_m = WarpsM_, warps_n = WarpsN_, stages = Stages_;
  static constexpr int blocks_per_sm = Blocks_;
  static constexpr int threads = 32 * warps_m * warps_n;
  static constexpr int tiles_m = block_m / warps_m / 16;  ///< 16-row tiles of a warp
  static constexpr int tiles_n = block_n / warps_n / 16;  ///< 16-column tiles of a warp
  template <class T>
  using TileA = Tile<T, block_m, depth>;
  template <class T>
  using TileB = Tile<T, depth, block_n>;
  static constexpr int shared_bytes =
      stages * 2 *
      (Tile<zl::f16, block_m, depth>::elements + Tile<zl::f16, depth, block_n>::elements);
};

template <class T, class S, bool Aligned>
__global__ void __launch_bounds__(S::threads, Aligned ? S::blocks_per_sm : 1)
    tensor_kernel(T* c, Matrix<T> a, Matrix<T> b) {
  using TileA = typename S::template TileA<T>;
  using TileB = typename S::template TileB<T>;
  extern __shared__ uint4 shared[];
  const TileOrigin origin = tile_origin(a.rows, b.cols, S::block_m, S::block_n);
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const int warp_row = warp / S::warps_n * (16 * S::tiles_m);
  const int warp_col = warp % S::warps_n * (16 * S::tiles_n);
  float sum[S::tiles_m][2 * S::tiles_n][4] = {};

  const auto compute = [&](const T* tile_a, const T* tile_b) {
#pragma unroll
    for (int p = 0; p < S::depth; p += 16) {
      std::uint32_t left[S::tiles_m][4];
      std::uint32_t right[S::tiles_n][4];
#pragma unroll
      for (int i = 0; i < S::tiles_m; ++i) {
        const int row = warp_row + 16 * i + lane % 16;
        load_matrices<false>(left[i], tile_a + row * TileA::stride + p + lane / 16 * 8);
      }
#pragma unroll
      for (int j = 0; j < S::tiles_n; ++j) {
        const int col = warp_col + 16 * j + lane / 16 * 8;
        load_matrices<true>(right[j], tile_b + (p + lane % 16) * TileB::stride + col);
      }
#pragma unroll
      for (int i = 0; i < S::tiles_m; ++i) {
#pragma unroll
        for (int j = 0; j < S::tiles_n; ++j) {
          multiply<T>(sum[i][2 * j], left[i], right[j][0], right[j][1]);
          multiply<T>(sum[i][2 * j + 1], left[i], right[j][2], right[j][3]);
        }
      }
    }
  };
  pipeline<TileA, TileB, Aligned, S::threads, S::stages>(reinterpret_cast<T*>(shared), a, b,
                                                         origin.row, origin.col, S::depth, compute);

  // A lane holds elements (lane / 4, 2 (lane % 4) + {0, 1}) of each 16x8 tile and those 8 rows on.
#pragma unroll
  for (int i = 0; i < S::tiles_m; ++i) {
#pragma unroll
    for (int j = 0; j < 2 * S::tiles_n; ++j) {
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        const int row = origin.row + warp_row + 16 * i + 8 * half + lane / 4;
        const int col = origin.col + warp_col + 8 * j + lane % 4 * 2;
        if (row >= a.rows || col >= b.cols) continue;
        T* const to = c + zl::i64{row} * b.cols + col;
        const float* const from = sum[i][j] + 2 * half;
        if constexpr (Aligned) {
          *reinterpret_cast<std::uint32_t*>(to) = narrow_pair<T>(from[0], from[1]);
        } else {
          to[0] = narrow<T>(from[0]);
          if (col + 1 < b.cols) to[1] = narrow<T>(from[1]);
        }
      }
    }
  }
}

}  // namespace ops
