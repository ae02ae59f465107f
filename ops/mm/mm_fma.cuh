#pragma once

#include "tile.cuh"

namespace ops {

/// One block's part of a binary32 product: each thread sums RowsPerThread rows of Quads x 4
/// columns; 16 threads lie beside each other.
template <int RowsPerThread, int Quads_, int Depth_, int Threads, int Stages_, int Blocks_>
struct FmaShape {
  static constexpr int rows = RowsPerThread, quads = Quads_, depth = Depth_;
  static constexpr int threads = Threads, stages = Stages_, blocks_per_sm = Blocks_;
  static constexpr int thread_rows = threads / 16;
  static constexpr int block_m = rows * thread_rows, block_n = 64 * quads;
  using TileA = Tile<float, block_m, depth>;
  using TileB = Tile<float, depth, block_n>;
  static constexpr int shared_bytes = stages * 4 * (TileA::elements + TileB::elements);
};

template <class S, bool Aligned>
__global__ void __launch_bounds__(S::threads, S::blocks_per_sm)
    fma_kernel(float* c, Matrix<float> a, Matrix<float> b) {
  extern __shared__ uint4 shared[];
  const TileOrigin origin = tile_origin(a.rows, b.cols, S::block_m, S::block_n);
  const int x = static_cast<int>(threadIdx.x) % 16;
  const int y = static_cast<int>(threadIdx.x) / 16;
  float sum[S::rows][S::quads][4] = {};

  const auto compute = [&](const float* tile_a, const float* tile_b) {
#pragma unroll
    for (int p = 0; p < S::depth; p += 2) {
      float left[S::rows][2];
#pragma unroll
      for (int i = 0; i < S::rows; ++i) {
        const int row = y + i * S::thread_rows;
        const auto two = *reinterpret_cast<const float2*>(tile_a + row * S::TileA::stride + p);
        left[i][0] = two.x;
        left[i][1] = two.y;
      }
#pragma unroll
      for (int q = 0; q < 2; ++q) {
#pragma unroll
        for (int j = 0; j < S::quads; ++j) {
          const auto right = *reinterpret_cast<const float4*>(tile_b + (p + q) * S::TileB::stride +
                                                              64 * j + 4 * x);
#pragma unroll
          for (int i = 0; i < S::rows; ++i) {
            sum[i][j][0] = fmaf(left[i][q], right.x, sum[i][j][0]);
            sum[i][j][1] = fmaf(left[i][q], right.y, sum[i][j][1]);
            sum[i][j][2] = fmaf(left[i][q], right.z, sum[i][j][2]);
            sum[i][j][3] = fmaf(left[i][q], right.w, sum[i][j][3]);
          }
        }
      }
    }
  };
  pipeline<typename S::TileA, typename S::TileB, Aligned, S::threads, S::stages>(
      reinterpret_cast<float*>(shared), a, b, origin.row, origin.col, S::depth, compute);

#pragma unroll
  for (int i = 0; i < S::rows; ++i) {
#pragma unroll
    for (int j = 0; j < S::quads; ++j) {
      const int row = origin.row + y + i * S::thread_rows;
      const int col = origin.col + 64 * j + 4 * x;
      if (row >= a.rows || col >= b.cols) continue;
      float* const to = c + zl::i64{row} * b.cols + col;
      const float* const from = sum[i][j];
      if constexpr (Aligned) {
        *reinterpret_cast<float4*>(to) = make_float4(from[0], from[1], from[2], from[3]);
      } else {
#pragma unroll
        for (int q = 0; q < 4; ++q) {
          if (col + q < b.cols) to[q] = from[q];
        }
      }
    }
  }
}

}  // namespace ops
