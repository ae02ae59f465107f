#pragma once

#include "shared/dtype.cuh"

namespace ops {

/// Elements of one 16-byte access.
template <class T>
inline constexpr int full_width = 16 / static_cast<int>(sizeof(T));

/// Whether pointers (and row lengths in bytes) allow 16-byte accesses.
template <class... T>
bool allows_vectors(std::int64_t row_bytes, const T*... pointers) {
  return ((reinterpret_cast<std::uintptr_t>(pointers) % 16 == 0) && ...) && row_bytes % 16 == 0;
}

/// Width consecutive elements as binary32; Width is full_width<T>, one 16-byte access, or 1.
template <int Width, class T>
__device__ void load(float (&to)[Width], const T* from) {
  static_assert(Width == 1 || Width == full_width<T>);
  if constexpr (Width == 1) {
    to[0] = widen(*from);
  } else {
    const uint4 raw = *reinterpret_cast<const uint4*>(from);
    const std::uint32_t word[4] = {raw.x, raw.y, raw.z, raw.w};
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      if constexpr (sizeof(T) == 4) {
        to[i] = __uint_as_float(word[i]);
      } else {
        const float2 pair = widen_pair<T>(word[i]);
        to[2 * i] = pair.x;
        to[2 * i + 1] = pair.y;
      }
    }
  }
}

template <int Width, class T>
__device__ void store(T* to, const float (&from)[Width]) {
  static_assert(Width == 1 || Width == full_width<T>);
  if constexpr (Width == 1) {
    *to = narrow<T>(from[0]);
  } else {
    std::uint32_t word[4];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      if constexpr (sizeof(T) == 4) {
        word[i] = __float_as_uint(from[i]);
      } else {
        word[i] = narrow_pair<T>(from[2 * i], from[2 * i + 1]);
      }
    }
    *reinterpret_cast<uint4*>(to) = make_uint4(word[0], word[1], word[2], word[3]);
  }
}

/// The same for 32-bit integers, as words: their sums wrap.
template <int Width>
__device__ void load(std::uint32_t (&to)[Width], const zl::i32* from) {
  static_assert(Width == 1 || Width == full_width<zl::i32>);
  if constexpr (Width == 1) {
    to[0] = static_cast<std::uint32_t>(*from);
  } else {
    const uint4 raw = *reinterpret_cast<const uint4*>(from);
    to[0] = raw.x;
    to[1] = raw.y;
    to[2] = raw.z;
    to[3] = raw.w;
  }
}

template <int Width>
__device__ void store(zl::i32* to, const std::uint32_t (&from)[Width]) {
  static_assert(Width == 1 || Width == full_width<zl::i32>);
  if constexpr (Width == 1) {
    *to = static_cast<zl::i32>(from[0]);
  } else {
    *reinterpret_cast<uint4*>(to) = make_uint4(from[0], from[1], from[2], from[3]);
  }
}

}  // namespace ops
