#pragma once

#include "shared/block_reduce.cuh"

namespace ops {

/// What a norm wants to know of a row, of any part of it. Elements are added in binary32, and parts
/// are merged in any order. `cols` below is the number of the row's elements.
struct MeanSquare {
  static constexpr bool centered = false;
  float squares;

  __device__ static MeanSquare nothing() { return {0.0f}; }

  template <int Width>
  __device__ void add(const float (&value)[Width]) {
#pragma unroll
    for (int i = 0; i < Width; ++i) squares = fmaf(value[i], value[i], squares);
  }
  __device__ void merge(const MeanSquare& other) { squares += other.squares; }

  __device__ float shift() const { return 0.0f; }
  __device__ float scale(float cols, float epsilon) const {
    return rsqrtf(squares / cols + epsilon);
  }
};

/// Mean and squared deviations from it, which stay exact where the mean is large beside the
/// deviations. Source of merge(): Chan, Golub, LeVeque, "Updating formulae and a pairwise algorithm
/// for computing sample variances", 1979.
struct Variance {
  static constexpr bool centered = true;
  float count;
  float mean;
  float squares;

  __device__ static Variance nothing() { return {0.0f, 0.0f, 0.0f}; }

  template <int Width>
  __device__ void add(const float (&value)[Width]) {
    float sum = 0;
#pragma unroll
    for (int i = 0; i < Width; ++i) sum += value[i];
    Variance part{static_cast<float>(Width), sum / static_cast<float>(Width), 0.0f};
#pragma unroll
    for (int i = 0; i < Width; ++i) {
      const float deviation = value[i] - part.mean;
      part.squares = fmaf(deviation, deviation, part.squares);
    }
    merge(part);
  }
  __device__ void merge(const Variance& other) {
    const float total = count + other.count;
    const float share = total > 0.0f ? __fdividef(other.count, total) : 0.0f;
    const float delta = other.mean - mean;
    mean = fmaf(delta, share, mean);
    squares += other.squares + delta * delta * (count * share);
    count = total;
  }

  __device__ float shift() const { return mean; }
  __device__ float scale(float cols, float epsilon) const {
    return rsqrtf(squares / cols + epsilon);
  }
};

/// Either as block_reduce() combines them.
struct MergeStatistics {
  template <class Statistic>
  __device__ Statistic operator()(Statistic a, const Statistic& b) const {
    a.merge(b);
    return a;
  }
};

}  // namespace ops
