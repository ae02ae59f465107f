#pragma once

#include <cstdint>

#include "zl/gpu.hpp"
#include "zl/types.hpp"

namespace ops {

/// Element types on the device: to binary32 and back, round to nearest even.
__device__ inline float widen(float value) { return value; }
__device__ inline float widen(zl::f16 value) { return __half2float(__ushort_as_half(value.bits)); }
__device__ inline float widen(zl::bf16 value) {
  return __uint_as_float(static_cast<std::uint32_t>(value.bits) << 16);
}

template <class T>
__device__ T narrow(float value);
template <>
__device__ inline float narrow<float>(float value) {
  return value;
}
template <>
__device__ inline zl::f16 narrow<zl::f16>(float value) {
  return {__half_as_ushort(__float2half_rn(value))};
}
template <>
__device__ inline zl::bf16 narrow<zl::bf16>(float value) {
  return {__bfloat16_as_ushort(__float2bfloat16_rn(value))};
}

/// Two 16-bit elements in one word, the first in its lower half.
template <class T>
__device__ float2 widen_pair(std::uint32_t word);
template <>
__device__ inline float2 widen_pair<zl::f16>(std::uint32_t word) {
  return __half22float2(__halves2half2(__ushort_as_half(static_cast<unsigned short>(word)),
                                       __ushort_as_half(static_cast<unsigned short>(word >> 16))));
}
template <>
__device__ inline float2 widen_pair<zl::bf16>(std::uint32_t word) {
  return make_float2(__uint_as_float(word << 16), __uint_as_float(word & 0xFFFF0000u));
}

template <class T>
__device__ std::uint32_t narrow_pair(float first, float second);
template <>
__device__ inline std::uint32_t narrow_pair<zl::f16>(float first, float second) {
  const __half2 pair = __floats2half2_rn(first, second);
  return __half_as_ushort(__low2half(pair)) |
         static_cast<std::uint32_t>(__half_as_ushort(__high2half(pair))) << 16;
}
template <>
__device__ inline std::uint32_t narrow_pair<zl::bf16>(float first, float second) {
  const auto pair = __floats2bfloat162_rn(first, second);
  return __bfloat16_as_ushort(__low2bfloat16(pair)) |
         static_cast<std::uint32_t>(__bfloat16_as_ushort(__high2bfloat16(pair))) << 16;
}

}  // namespace ops
