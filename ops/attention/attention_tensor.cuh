#pragma once

#include "attention_plain.cuh"
#include "shared/matmul/tile.cuh"
#include "shared/mma.cuh"

namespace ops {

#ifndef ZL_BACKEND_MUSA

/// A block's part: block_q queries, 32 a warp, against block_k keys at a time. 32 queries a warp,
/// not 16: each fragment of k and v that comes from shared memory feeds two products, without which
/// shared memory would set the pace.
template <int Dim>
struct AttentionShape {
  static constexpr int warps = 4;
  static constexpr int threads = 32 * warps;
  static constexpr int block_q = 32 * warps;
  static constexpr int block_k = 64;
  static constexpr int blocks_per_sm = 2;
  template <class T>
  using TileQ = Tile<T, block_q, Dim>;
  template <class T>
  using TileK = Tile<T, block_k, Dim>;
  /// The queries, and two stages of keys and values.
  template <class T>
  static constexpr int shared_bytes = static_cast<int>(sizeof(T)) *
                                      (TileQ<T>::elements + 4 * TileK<T>::elements);
};

__device__ inline float power_of_two(float x) {
  float y;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}

/// What a warp knows of its 32 queries. A lane holds, of each 16-row tile, rows lane / 4 + {0, 8}.
template <class T, int Dim>
struct WarpRows {
  float largest[2][2];  ///< of the scores, before scaling
  float sum[2][2];      ///< this lane's part
  float out[2][Dim / 8][4];

  __device__ void start() {
#pragma unroll
    for (int i = 0; i < 2; ++i) {
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        largest[i][half] = __uint_as_float(0xFF800000u);
        sum[i][half] = 0;
      }
#pragma unroll
      for (int n = 0; n < Dim / 8; ++n) {
#pragma unroll
        for (int e = 0; e < 4; ++e) out[i][n][e] = 0;
      }
    }
  }

  /// Turns the scores of 64 more keys into weights relative to the largest score so far, and
  /// rescales what was summed relative to the one before.
  __device__ void weigh(float (&score)[2][8][4], float scale) {
#pragma unroll
    for (int i = 0; i < 2; ++i) {
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        const float before = largest[i][half];
        float highest = before;
#pragma unroll
        for (int n = 0; n < 8; ++n) {
          highest = fmaxf(highest, fmaxf(score[i][n][2 * half], score[i][n][2 * half + 1]));
        }
        // The four lanes of a row.
        highest = fmaxf(highest, __shfl_xor_sync(0xFFFFFFFFu, highest, 1));
        highest = fmaxf(highest, __shfl_xor_sync(0xFFFFFFFFu, highest, 2));
        largest[i][half] = highest;
        const float base = attention_base(highest, scale);
        const float keep = power_of_two(fmaf(before, scale, -base));
        float added = 0;
#pragma unroll
        for (int n = 0; n < 8; ++n) {
#pragma unroll
          for (int e = 2 * half; e < 2 * half + 2; ++e) {
            score[i][n][e] = power_of_two(fmaf(score[i][n][e], scale, -base));
            added += score[i][n][e];
          }
        }
        sum[i][half] = fmaf(sum[i][half], keep, added);
#pragma unroll
        for (int n = 0; n < Dim / 8; ++n) {
          out[i][n][2 * half] *= keep;
          out[i][n][2 * half + 1] *= keep;
        }
      }
    }
  }
};

/// score = q k^T for a warp's 32 queries and 64 keys.
template <class T, int Dim>
__device__ void multiply_keys(float (&score)[2][8][4], const T* tile_q, const T* tile_k, int lane) {
  constexpr int stride = AttentionShape<Dim>::template TileK<T>::stride;
#pragma unroll
  for (int p = 0; p < Dim; p += 16) {
    std::uint32_t left[2][4];
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      load_matrices<false>(left[i], tile_q + (16 * i + lane % 16) * stride + p + lane / 16 * 8);
    }
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      std::uint32_t right[4];
      const int key = 16 * j + lane / 16 * 8 + lane % 8;
      load_matrices<false>(right, tile_k + key * stride + p + lane / 8 % 2 * 8);
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        multiply<T>(score[i][2 * j], left[i], right[0], right[1]);
        multiply<T>(score[i][2 * j + 1], left[i], right[2], right[3]);
      }
    }
  }
}

/// out += weight v. A product's result has the layout of the next one's left operand.
template <class T, int Dim>
__device__ void multiply_values(float (&out)[2][Dim / 8][4], const float (&weight)[2][8][4],
                                const T* tile_v, int lane) {
  constexpr int stride = AttentionShape<Dim>::template TileK<T>::stride;
#pragma unroll
  for (int j = 0; j < 4; ++j) {
    std::uint32_t left[2][4];
#pragma unroll
    for (int i = 0; i < 2; ++i) {
#pragma unroll
      for (int part = 0; part < 4; ++part) {
        const float* const pair = weight[i][2 * j + part / 2] + part % 2 * 2;
        left[i][part] = narrow_pair<T>(pair[0], pair[1]);
      }
    }
#pragma unroll
    for (int d = 0; d < Dim / 16; ++d) {
      std::uint32_t right[4];
      load_matrices<true>(right, tile_v + (16 * j + lane % 16) * stride + 16 * d + lane / 16 * 8);
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        multiply<T>(out[i][2 * d], left[i], right[0], right[1]);
        multiply<T>(out[i][2 * d + 1], left[i], right[2], right[3]);
      }
    }
  }
}

template <class T, int Dim, bool Causal, bool Aligned>
__global__ void __launch_bounds__(AttentionShape<Dim>::threads,
                                  Aligned ? AttentionShape<Dim>::blocks_per_sm : 1)
    tensor_attention_kernel(AttentionCall<T> call) {
  using S = AttentionShape<Dim>;
  using TileQ = typename S::template TileQ<T>;
  using TileK = typename S::template TileK<T>;
  extern __shared__ uint4 shared[];
  T* const tile_q = reinterpret_cast<T*>(shared);
  T* const tiles_k = tile_q + TileQ::elements;
  T* const tiles_v = tiles_k + 2 * TileK::elements;

  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const int seq = call.seq;
  const auto blocks_per_head = static_cast<unsigned>((seq + S::block_q - 1) / S::block_q);
  // Blocks that run at the same time share a head's keys; of a head those with the most causal keys
  // come first, so that short ones are left for the end.
  const unsigned block = blocks_per_head - 1 - blockIdx.x % blocks_per_head;
  const int block_row = static_cast<int>(block) * S::block_q;
  const int warp_row = block_row + 32 * warp;
  const zl::i64 head = zl::i64{blockIdx.x / blocks_per_head} * seq * Dim;
  const Matrix<T> q{call.q + head, seq, Dim};
  const Matrix<T> k{call.k + head, seq, Dim};
  const Matrix<T> v{call.v + head, seq, Dim};

  const int keys = Causal ? min(seq, block_row + S::block_q) : seq;
  const int tiles = (keys + S::block_k - 1) / S::block_k;
  const auto fill = [&](T* stages, const Matrix<T>& from, int tile) {
    if (tile < tiles) {
      TileK::template fill<Aligned, S::threads>(stages + tile % 2 * TileK::elements, from,
                                                tile * S::block_k, 0);
    }
    commit_copies();
  };
  TileQ::template fill<Aligned, S::threads>(tile_q, q, block_row, 0);
  fill(tiles_k, k, 0);
  fill(tiles_v, v, 0);

  WarpRows<T, Dim> rows;
  rows.start();
  for (int tile = 0; tile < tiles; ++tile) {
    // Groups are finished in the order k 0 (and q), v 0, k 1, v 1, ...: all but the latest one.
    wait_for_copies<1>();
    __syncthreads();  // these keys are here for all, and all have left the stages before
    fill(tiles_k, k, tile + 1);
    const int key0 = tile * S::block_k;
    const bool seen = !Causal || key0 < warp_row + 32;  // by a query of this warp
    float score[2][8][4] = {};
    if (seen) {
      multiply_keys<T, Dim>(score, tile_q + 32 * warp * TileQ::stride,
                            tiles_k + tile % 2 * TileK::elements, lane);
    }
    if (key0 + S::block_k > seq || (Causal && key0 + S::block_k - 1 > warp_row)) {
#pragma unroll
      for (int i = 0; i < 2; ++i) {
#pragma unroll
        for (int n = 0; n < 8; ++n) {
#pragma unroll
          for (int e = 0; e < 4; ++e) {
            const int key = key0 + 8 * n + lane % 4 * 2 + e % 2;
            const int row = warp_row + 16 * i + lane / 4 + e / 2 * 8;
            if (key >= seq || (Causal && key > row)) score[i][n][e] = __uint_as_float(0xFF800000u);
          }
        }
      }
    }
    if (seen) rows.weigh(score, call.scale);
    wait_for_copies<1>();
    __syncthreads();  // the values are here for all
    fill(tiles_v, v, tile + 1);
    if (seen) {
      multiply_values<T, Dim>(rows.out, score, tiles_v + tile % 2 * TileK::elements, lane);
    }
  }

#pragma unroll
  for (int i = 0; i < 2; ++i) {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      float sum = rows.sum[i][half];
      sum += __shfl_xor_sync(0xFFFFFFFFu, sum, 1);
      sum += __shfl_xor_sync(0xFFFFFFFFu, sum, 2);
      const int row = warp_row + 16 * i + 8 * half + lane / 4;
      if (row >= seq) continue;
      T* const to = call.y + head + zl::i64{row} * Dim + lane % 4 * 2;
      const float factor = 1 / sum;
#pragma unroll
      for (int n = 0; n < Dim / 8; ++n) {
        const float first = rows.out[i][n][2 * half] * factor;
        const float second = rows.out[i][n][2 * half + 1] * factor;
        if constexpr (Aligned) {
          *reinterpret_cast<std::uint32_t*>(to + 8 * n) = narrow_pair<T>(first, second);
        } else {
          to[8 * n] = narrow<T>(first);
          to[8 * n + 1] = narrow<T>(second);
        }
      }
    }
  }
}

#endif

}  // namespace ops
