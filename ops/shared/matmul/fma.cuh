#pragma once

#include "shared/matmul/tile.cuh"

namespace ops {

/// One block's part of a product without matrix instructions: each thread sums RowsPerThread rows
/// of Quads x 4 columns in binary32; 16 threads lie beside each other.
template <int RowsPerThread, int Quads_, int Depth_, int Threads, int Stages_, int Blocks_>
struct FmaShape {
  static constexpr int rows = RowsPerThread, quads = Quads_, depth = Depth_;
  static constexpr int threads = Threads, stages = Stages_;
  static constexpr int thread_rows = threads / 16;
  static constexpr int block_m = rows * thread_rows, block_n = 64 * quads;
  static constexpr int blocks_per_sm = Blocks_;
  template <class T>
  using TileA = Tile<T, block_m, depth>;
  template <class B>
  using TileB = RightTile<B, depth, block_n>;
  template <class B>
  static constexpr int shared_bytes = stages* static_cast<int>(sizeof(typename B::Element)) *
                                      (TileA<typename B::Element>::elements + TileB<B>::elements);

  /// The block's tile of c = a b; c has as many columns as b.
  template <bool Aligned, class C, class A, class B>
  __device__ static void product(const C& c, const A& a, const B& b, TileOrigin origin);
};

__device__ inline float2 load_two(const float* from) {
  return *reinterpret_cast<const float2*>(from);
}
template <class T>
__device__ float2 load_two(const T* from) {
  return widen_pair<T>(*reinterpret_cast<const std::uint32_t*>(from));
}
__device__ inline float4 load_four(const float* from) {
  return *reinterpret_cast<const float4*>(from);
}
template <class T>
__device__ float4 load_four(const T* from) {
  const auto raw = *reinterpret_cast<const uint2*>(from);
  const float2 low = widen_pair<T>(raw.x);
  const float2 high = widen_pair<T>(raw.y);
  return make_float4(low.x, low.y, high.x, high.y);
}
__device__ inline void store_four(float* to, const float (&from)[4]) {
  *reinterpret_cast<float4*>(to) = make_float4(from[0], from[1], from[2], from[3]);
}
template <class T>
__device__ void store_four(T* to, const float (&from)[4]) {
  *reinterpret_cast<uint2*>(to) =
      make_uint2(narrow_pair<T>(from[0], from[1]), narrow_pair<T>(from[2], from[3]));
}

/// Row `row`, columns from `col` on of a tile of the right operand.
template <class B, int Stride, class T>
__device__ float4 load_right(const T* tile, int row, int col) {
  if constexpr (is_transposed<B>) {
    const T* const from = tile + col * Stride + row;
    return make_float4(widen(from[0]), widen(from[Stride]), widen(from[2 * Stride]),
                       widen(from[3 * Stride]));
  } else {
    return load_four(tile + row * Stride + col);
  }
}

template <int RowsPerThread, int Quads, int Depth, int Threads, int Stages, int Blocks>
template <bool Aligned, class C, class A, class B>
__device__ void FmaShape<RowsPerThread, Quads, Depth, Threads, Stages, Blocks>::product(
    const C& c, const A& a, const B& b, TileOrigin origin) {
  using T = typename A::Element;
  using S = FmaShape;
  using TileA = S::TileA<T>;
  using TileB = S::TileB<B>;
  const int cols = columns(b);
  extern __shared__ uint4 shared[];
  const int x = static_cast<int>(threadIdx.x) % 16;
  const int y = static_cast<int>(threadIdx.x) / 16;
  float sum[S::rows][S::quads][4] = {};

  const auto compute = [&](const T* tile_a, const T* tile_b) {
#pragma unroll
    for (int p = 0; p < S::depth; p += 2) {
      float left[S::rows][2];
#pragma unroll
      for (int i = 0; i < S::rows; ++i) {
        const int row = y + i * S::thread_rows;
        const float2 two = load_two(tile_a + row * TileA::stride + p);
        left[i][0] = two.x;
        left[i][1] = two.y;
      }
#pragma unroll
      for (int q = 0; q < 2; ++q) {
#pragma unroll
        for (int j = 0; j < S::quads; ++j) {
          const float4 right = load_right<B, TileB::stride>(tile_b, p + q, 64 * j + 4 * x);
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
  pipeline<TileA, TileB, Aligned, S::threads, S::stages>(
      reinterpret_cast<T*>(shared), a, b, origin.row, origin.col, S::depth, 0,
      (a.cols + S::depth - 1) / S::depth, compute);

#pragma unroll
  for (int i = 0; i < S::rows; ++i) {
#pragma unroll
    for (int j = 0; j < S::quads; ++j) {
      const int row = origin.row + y + i * S::thread_rows;
      const int col = origin.col + 64 * j + 4 * x;
      if (row >= a.rows || col >= cols) continue;
      const OutputRow<T> out = output_row(c, row, cols);
      T* const to = out.to + col;
#pragma unroll
      for (int q = 0; q < 4; ++q) sum[i][j][q] *= out.factor;
      if constexpr (Aligned) {
        store_four(to, sum[i][j]);
      } else {
#pragma unroll
        for (int q = 0; q < 4; ++q) {
          if (col + q < cols) to[q] = narrow<T>(sum[i][j][q]);
        }
      }
    }
  }
}

}  // namespace ops
