#pragma once

#include <cstdint>

namespace ops {

/// The value that lane `lane ^ mask` of these 32 lanes holds, which are a warp or, on chips whose
/// warps are wider, a part of one; V is made of 32-bit words.
template <class V>
__device__ V shuffle_xor(V value, int mask) {
  static_assert(sizeof(V) % 4 == 0);
  constexpr int words = sizeof(V) / 4;
  std::uint32_t word[words];
  memcpy(word, &value, sizeof(V));
#pragma unroll
  for (int i = 0; i < words; ++i) word[i] = __shfl_xor_sync(0xFFFFFFFFu, word[i], mask, 32);
  memcpy(&value, word, sizeof(V));
  return value;
}

/// Combines one value of every thread of the block; all threads get the result. The block is made
/// of whole warps. `scratch` is shared memory that only this reduction uses.
template <class V, class Combine>
__device__ V block_reduce(V value, Combine combine, V identity, V (&scratch)[32]) {
  for (int mask = 16; mask > 0; mask /= 2) value = combine(value, shuffle_xor(value, mask));
  const int warps = static_cast<int>(blockDim.x) / 32;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  if (lane == 0) scratch[threadIdx.x / 32] = value;
  __syncthreads();
  value = lane < warps ? scratch[lane] : identity;
  for (int mask = 16; mask > 0; mask /= 2) value = combine(value, shuffle_xor(value, mask));
  return value;
}

}  // namespace ops
