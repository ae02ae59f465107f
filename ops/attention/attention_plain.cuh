#pragma once

#include "attention.hpp"
#include "shared/block_reduce.cuh"
#include "shared/dtype.cuh"

namespace ops {

/// The arguments of one call; the tensors are [heads of all batches][seq][dim].
template <class T>
struct AttentionCall {
  T* y;
  const T* q;
  const T* k;
  const T* v;
  int seq;
  int dim;
  float scale;  ///< of the scores, for powers of two: log2(e) / sqrt(dim)
  bool causal;
};

/// The largest score so far, as the exponent that is subtracted from all: a row that has seen
/// nothing but -inf keeps -inf - 0, not -inf - -inf.
__device__ inline float attention_base(float largest, float scale) {
  return largest == __uint_as_float(0xFF800000u) ? 0.0f : largest * scale;
}

inline constexpr int attention_plain_rows = 4;  ///< queries of a block, 32 threads each

/// Any dim up to attention_most_dim, without matrix instructions. Each group of 32 threads takes
/// 32 keys at a time: one key's score a thread, then each thread some columns of the output.
template <class T>
__global__ void __launch_bounds__(32 * attention_plain_rows)
    plain_attention_kernel(AttentionCall<T> call) {
  constexpr int keys = 32;
  constexpr int most_dim = static_cast<int>(attention_most_dim);
  constexpr int stride = most_dim + 2;  // an odd number of words: 32 rows in 32 banks
  constexpr int threads = 32 * attention_plain_rows;
  __shared__ T tile_k[keys * stride];
  __shared__ T tile_v[keys * stride];
  __shared__ float query[attention_plain_rows][most_dim];

  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int group = static_cast<int>(threadIdx.x) / 32;
  const unsigned blocks_per_head =
      static_cast<unsigned>(call.seq + attention_plain_rows - 1) / attention_plain_rows;
  const int first = static_cast<int>(blockIdx.x % blocks_per_head) * attention_plain_rows;
  const int row = first + group;
  const zl::i64 head = zl::i64{blockIdx.x / blocks_per_head} * call.seq * call.dim;
  const zl::i64 at = head + zl::i64{row} * call.dim;
  if (row < call.seq) {
    for (int d = lane; d < call.dim; d += 32) query[group][d] = widen(call.q[at + d]);
  }

  const int seen = row >= call.seq ? 0 : call.causal ? row + 1 : call.seq;
  const int block_seen = call.causal ? min(call.seq, first + attention_plain_rows) : call.seq;
  float largest = __uint_as_float(0xFF800000u);
  float sum = 0;
  float out[most_dim / 32] = {};
  for (int key0 = 0; key0 < block_seen; key0 += keys) {
    __syncthreads();  // all have left the tiles
    const int count = min(keys, block_seen - key0);
    for (int i = static_cast<int>(threadIdx.x); i < count * call.dim; i += threads) {
      const int to = i / call.dim * stride + i % call.dim;
      const zl::i64 from = head + zl::i64{key0} * call.dim + i;
      tile_k[to] = call.k[from];
      tile_v[to] = call.v[from];
    }
    __syncthreads();
    const int own = min(count, seen - key0);  // of this group's query, perhaps not positive
    float score = __uint_as_float(0xFF800000u);
    if (lane < own) {
      score = 0;
      for (int d = 0; d < call.dim; ++d) {
        score = fmaf(query[group][d], widen(tile_k[lane * stride + d]), score);
      }
    }
    float highest = score;
    for (int mask = 16; mask > 0; mask /= 2) highest = fmaxf(highest, shuffle_xor(highest, mask));
    const float before = largest;
    largest = fmaxf(largest, highest);
    const float base = attention_base(largest, call.scale);
    const float keep = exp2f(fmaf(before, call.scale, -base));
    const float p = lane < own ? exp2f(fmaf(score, call.scale, -base)) : 0.0f;
    sum = sum * keep + p;
#pragma unroll
    for (int c = 0; c < most_dim / 32; ++c) out[c] *= keep;
    for (int j = 0; j < own; ++j) {
      const float weight = __shfl_sync(0xFFFFFFFFu, p, j, 32);
#pragma unroll
      for (int c = 0; c < most_dim / 32; ++c) {
        const int d = lane + 32 * c;
        if (d < call.dim) out[c] = fmaf(weight, widen(tile_v[j * stride + d]), out[c]);
      }
    }
  }
  for (int mask = 16; mask > 0; mask /= 2) sum += shuffle_xor(sum, mask);
  if (row >= call.seq) return;
#pragma unroll
  for (int c = 0; c < most_dim / 32; ++c) {
    const int d = lane + 32 * c;
    if (d < call.dim) call.y[at + d] = narrow<T>(out[c] / sum);
  }
}

}  // namespace ops
