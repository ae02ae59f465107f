#pragma once

namespace ops {

/// What is known of a part of a row: its maximum m and the sum of exp(x - m).
struct Partial {
  float maximum;
  float sum;
};

inline __device__ Partial nothing() { return {__uint_as_float(0xFF800000u), 0.0f}; }

/// __expf rounds its argument, which is nothing to a 16-bit result.
template <class T>
__device__ float exponential(float x) {
  return sizeof(T) == 2 ? __expf(x) : expf(x);
}

/// exp(from - to) for to >= from; 1 where both are the same infinity.
inline __device__ float rescale(float from, float to) {
  return from == to ? 1.0f : expf(from - to);
}

struct Merge {
  __device__ Partial operator()(Partial a, Partial b) const {
    const float maximum = fmaxf(a.maximum, b.maximum);
    return {maximum, a.sum * rescale(a.maximum, maximum) + b.sum * rescale(b.maximum, maximum)};
  }
};

}  // namespace ops
