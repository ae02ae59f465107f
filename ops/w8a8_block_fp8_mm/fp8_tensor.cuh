#pragma once

#ifndef ZL_BACKEND_MUSA

#include <cooperative_groups.h>

#include "fp8_plain.cuh"
#include "shared/matmul/tile.cuh"
#include "shared/mma.cuh"

namespace ops {

/// One block's part: BlockM x BlockN, WarpsM x WarpsN warps, a scale's 128 elements of k a stage.
template <int BlockM, int BlockN, int WarpsM, int WarpsN, int Stages>
struct Fp8Shape {
  static constexpr int block_m = BlockM, block_n = BlockN, depth = 128;
  static constexpr int warps_m = WarpsM, warps_n = WarpsN, stages = Stages;
  static constexpr int threads = 32 * warps_m * warps_n;
  static constexpr int tiles_m = block_m / warps_m / 16;  ///< 16-row tiles of a warp
  static constexpr int tiles_n = block_n / warps_n / 8;   ///< 8-column tiles of a warp
  using TileA = Tile<zl::e4m3, block_m, depth>;
  using TileW = Tile<zl::e4m3, block_n, depth>;
  static constexpr int shared_bytes = stages * (TileA::elements + TileW::elements);
  /// Sums of the blocks of a cluster, in the stages' place.
  static constexpr int sum_stride = block_n + 4;
  static_assert(block_m * sum_stride * 4 <= shared_bytes);
  static_assert(fp8_block % block_n == 0, "a block's columns share their scales");
};

/// The scales of a lane's rows for one group: rows lane / 4 + {0, 8} of each 16-row tile.
template <class S>
struct RowScales {
  float value[S::tiles_m][2];

  __device__ void read(const Fp8Call& call, int group, int last, int row0, int col0, int lane) {
    if (group >= last) return;
    const float w_scale = call.w_scale[zl::i64{col0 / S::depth} * call.groups() + group];
#pragma unroll
    for (int i = 0; i < S::tiles_m; ++i) {
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        const int row = row0 + 16 * i + 8 * half + lane / 4;
        value[i][half] =
            row < call.m ? call.a_scale[zl::i64{group} * call.m + row] * w_scale : 0.0f;
      }
    }
  }
};

/// The blocks of a cluster, which lie along blockIdx.x, share a tile of c: each sums a part of k,
/// then each adds up a part of the rows of all.
template <class S, bool Aligned>
__global__ void __launch_bounds__(S::threads, 1) tensor_fp8_kernel(Fp8Call call) {
  extern __shared__ uint4 shared[];
  const auto cluster = cooperative_groups::this_cluster();
  const int parts = static_cast<int>(cluster.num_blocks());
  const int part = static_cast<int>(cluster.block_rank());
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const int row0 = static_cast<int>(blockIdx.y) * S::block_m;
  const int col0 = static_cast<int>(blockIdx.x) / parts * S::block_n;
  const int warp_row = warp / S::warps_n * (16 * S::tiles_m);
  const int warp_col = warp % S::warps_n * (8 * S::tiles_n);
  const int groups = call.groups();
  const int first = static_cast<int>(zl::i64{groups} * part / parts);
  const int last = static_cast<int>(zl::i64{groups} * (part + 1) / parts);

  float sum[S::tiles_m][S::tiles_n][4] = {};
  RowScales<S> scales, next;
  next.read(call, first, last, row0 + warp_row, col0, lane);
  int group = first;
  const auto compute = [&](const zl::e4m3* tile_a, const zl::e4m3* tile_w) {
    scales = next;
    next.read(call, ++group, last, row0 + warp_row, col0, lane);
    float product[S::tiles_m][S::tiles_n][4] = {};
#pragma unroll
    for (int p = 0; p < S::depth; p += 64) {
      std::uint32_t right[S::tiles_n][4];  // two steps of 32
#pragma unroll
      for (int j = 0; j < S::tiles_n; ++j) {
        const int col = warp_col + 8 * j + lane % 8;
        load_matrices<false>(right[j], tile_w + col * S::TileW::stride + p + lane / 8 * 16);
      }
#pragma unroll
      for (int step = 0; step < 2; ++step) {
#pragma unroll
        for (int i = 0; i < S::tiles_m; ++i) {
          std::uint32_t left[4];
          const int row = warp_row + 16 * i + lane % 16;
          load_matrices<false>(left,
                               tile_a + row * S::TileA::stride + p + 32 * step + lane / 16 * 16);
#pragma unroll
          for (int j = 0; j < S::tiles_n; ++j) {
            multiply<zl::e4m3>(product[i][j], left, right[j][2 * step], right[j][2 * step + 1]);
          }
        }
      }
    }
#pragma unroll
    for (int i = 0; i < S::tiles_m; ++i) {
#pragma unroll
      for (int j = 0; j < S::tiles_n; ++j) {
#pragma unroll
        for (int e = 0; e < 4; ++e) {
          sum[i][j][e] = fmaf(product[i][j][e], scales.value[i][e / 2], sum[i][j][e]);
        }
      }
    }
  };
  const Matrix<zl::e4m3> a{call.a, call.m, call.k};
  const TransposedMatrix<zl::e4m3> w{{call.w, call.n, call.k}};
  pipeline<typename S::TileA, typename S::TileW, Aligned, S::threads, S::stages>(
      reinterpret_cast<zl::e4m3*>(shared), a, w, row0, col0, S::depth, first, last, compute);

  __syncthreads();  // all have left the stages
  float* const sums = reinterpret_cast<float*>(shared);
#pragma unroll
  for (int i = 0; i < S::tiles_m; ++i) {
#pragma unroll
    for (int j = 0; j < S::tiles_n; ++j) {
#pragma unroll
      for (int e = 0; e < 4; ++e) {
        const int row = warp_row + 16 * i + e / 2 * 8 + lane / 4;
        const int col = warp_col + 8 * j + lane % 4 * 2 + e % 2;
        sums[row * S::sum_stride + col] = sum[i][j][e];
      }
    }
  }
  cluster.sync();
  const int rows = (S::block_m + parts - 1) / parts;
  const int end = min(rows * (part + 1), S::block_m);
  constexpr int lanes = S::block_n / 4;
  const int col = static_cast<int>(threadIdx.x) % lanes * 4;
  for (int row = rows * part + static_cast<int>(threadIdx.x) / lanes; row < end;
       row += S::threads / lanes) {
    float total[4] = {};
    for (int from = 0; from < parts; ++from) {
      const float* const other = cluster.map_shared_rank(sums, static_cast<unsigned>(from));
      const float4 four = *reinterpret_cast<const float4*>(other + row * S::sum_stride + col);
      total[0] += four.x;
      total[1] += four.y;
      total[2] += four.z;
      total[3] += four.w;
    }
    if (row0 + row >= call.m) continue;
    zl::bf16* const to = call.c + zl::i64{row0 + row} * call.n + col0 + col;
#pragma unroll
    for (int e = 0; e < 4; ++e) {
      if (col0 + col + e < call.n) to[e] = narrow<zl::bf16>(total[e]);
    }
  }
  cluster.sync();  // no block ends while another reads its sums
}

}  // namespace ops

#endif
