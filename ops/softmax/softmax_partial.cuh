#pragma once

#include "shared/block_reduce.cuh"
#include "shared/exp_sum.cuh"
#include "shared/vector.cuh"

namespace ops {

static_assert(sizeof(Partial) == 8, "softmax_workspace() counts 8 bytes each");

inline constexpr int softmax_threads = 256;

/// Up to Vectors * Width * threads consecutive elements of a row, held in a block's registers.
template <class T, int Width, int Vectors>
struct Piece {
  float value[Vectors][Width];
  float maximum;  ///< of this thread's elements

  __device__ static int element(int v) {
    return static_cast<int>(threadIdx.x + v * blockDim.x) * Width;
  }

  __device__ void read(const T* from, int count) {
#pragma unroll
    for (int v = 0; v < Vectors; ++v) {
      if (element(v) < count) load(value[v], from + element(v));
    }
  }

  /// Turns the elements into exp(x - maximum) and returns this thread's part.
  __device__ Partial exponentiate(int count) {
    maximum = nothing().maximum;
#pragma unroll
    for (int v = 0; v < Vectors; ++v) {
      if (element(v) < count) {
#pragma unroll
        for (int i = 0; i < Width; ++i) maximum = fmaxf(maximum, value[v][i]);
      }
    }
    // Only -inf so far: exp(-inf - 0) is 0, exp(-inf - -inf) would be NaN.
    const float base = maximum == nothing().maximum ? 0.0f : maximum;
    float sum = 0;
#pragma unroll
    for (int v = 0; v < Vectors; ++v) {
      if (element(v) < count) {
#pragma unroll
        for (int i = 0; i < Width; ++i) sum += value[v][i] = exponential<T>(value[v][i] - base);
      }
    }
    return {maximum, sum};
  }

  __device__ void write(T* to, int count, Partial row) {
    const float scale = rescale(maximum, row.maximum) / row.sum;
#pragma unroll
    for (int v = 0; v < Vectors; ++v) {
      if (element(v) < count) {
#pragma unroll
        for (int i = 0; i < Width; ++i) value[v][i] *= scale;
        store(to + element(v), value[v]);
      }
    }
  }
};

}  // namespace ops
