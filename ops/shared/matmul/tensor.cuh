#pragma once

#include "shared/matmul/tile.cuh"
#include "shared/mma.cuh"

namespace ops {

/// One block's part of a product on tensor cores, f16 and bf16: BlockM x BlockN, Depth of k a
/// stage, WarpsM x WarpsN warps.
template <int BlockM_, int BlockN_, int Depth_, int WarpsM_, int WarpsN_, int Stages_, int Blocks_>
struct TensorShape {
  static constexpr int block_m = BlockM_, block_n = BlockN_, depth = Depth_;
  static constexpr int warps_m = WarpsM_, warps_n = WarpsN_, stages = Stages_;
  static constexpr int threads = 32 * warps_m * warps_n;
  static constexpr int tiles_m = block_m / warps_m / 16;  ///< 16-row tiles of a warp
  static constexpr int tiles_n = block_n / warps_n / 16;  ///< 16-column tiles of a warp
  static constexpr int blocks_per_sm = Blocks_;
  template <class T>
  using TileA = Tile<T, block_m, depth>;
  template <class B>
  using TileB = RightTile<B, depth, block_n>;
  template <class B>
  static constexpr int shared_bytes = stages * 2 *
                                      (TileA<typename B::Element>::elements + TileB<B>::elements);

  /// The block's tile of c = a b; c has as many columns as b.
  template <bool Aligned, class C, class A, class B>
  __device__ static void product(const C& c, const A& a, const B& b, TileOrigin origin);
};

template <int BlockM, int BlockN, int Depth, int WarpsM, int WarpsN, int Stages, int Blocks>
template <bool Aligned, class C, class A, class B>
__device__ void TensorShape<BlockM, BlockN, Depth, WarpsM, WarpsN, Stages, Blocks>::product(
    const C& c, const A& a, const B& b, TileOrigin origin) {
  using T = typename A::Element;
  using S = TensorShape;
  using TileA = S::TileA<T>;
  using TileB = S::TileB<B>;
  const int cols = columns(b);
  extern __shared__ uint4 shared[];
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
        if constexpr (is_transposed<B>) {
          const int row = p + lane / 8 % 2 * 8;
          load_matrices<false>(right[j], tile_b + (col + lane % 8) * TileB::stride + row);
        } else {
          load_matrices<true>(right[j], tile_b + (p + lane % 16) * TileB::stride + col);
        }
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
  pipeline<TileA, TileB, Aligned, S::threads, S::stages>(
      reinterpret_cast<T*>(shared), a, b, origin.row, origin.col, S::depth, 0,
      (a.cols + S::depth - 1) / S::depth, compute);

  // A lane holds elements (lane / 4, 2 (lane % 4) + {0, 1}) of each 16x8 tile and those 8 rows on.
#pragma unroll
  for (int i = 0; i < S::tiles_m; ++i) {
#pragma unroll
    for (int j = 0; j < 2 * S::tiles_n; ++j) {
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        const int row = origin.row + warp_row + 16 * i + 8 * half + lane / 4;
        const int col = origin.col + warp_col + 8 * j + lane % 4 * 2;
        if (row >= a.rows || col >= cols) continue;
        const OutputRow<T> out = output_row(c, row, cols);
        T* const to = out.to + col;
        const float first = sum[i][j][2 * half] * out.factor;
        const float second = sum[i][j][2 * half + 1] * out.factor;
        if constexpr (Aligned) {
          *reinterpret_cast<std::uint32_t*>(to) = narrow_pair<T>(first, second);
        } else {
          to[0] = narrow<T>(first);
          if (col + 1 < cols) to[1] = narrow<T>(second);
        }
      }
    }
  }
}

}  // namespace ops
