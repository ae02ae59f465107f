#pragma once

#include "zl/gpu.hpp"

namespace ops {

/// Sorts `count` keys, a power of two, in shared memory, the largest first, by all threads of a
/// block of whole warps. The keys are visible to all before the call, and after it.
template <class Key>
__device__ void bitonic_sort_descending(Key* keys, int count) {
  for (int size = 2; size <= count; size *= 2) {
    for (int stride = size / 2; stride > 0; stride /= 2) {
      for (int t = static_cast<int>(threadIdx.x); t < count / 2;
           t += static_cast<int>(blockDim.x)) {
        const int i = 2 * t - (t & (stride - 1));
        const Key first = keys[i];
        const Key second = keys[i + stride];
        const bool descending = (i & size) == 0;
        if ((first < second) == descending) {
          keys[i] = second;
          keys[i + stride] = first;
        }
      }
      // With strides up to 32, 32 lanes stay within the same 64 keys.
      const int next = stride > 1 ? stride / 2 : size;
      if (stride > 32 || next > 32) {
        __syncthreads();
      } else {
        __syncwarp();
      }
    }
  }
  __syncthreads();
}

}  // namespace ops
