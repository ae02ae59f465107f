#pragma once

#include <cstdint>
#include <cstring>

#include "zl/philox.hpp"

/// Bit-level conversions between binary32 and the smaller floats, the same on host and device.
/// To a smaller type: round to nearest, ties to even.
namespace zl::bits {

ZL_HOST_DEVICE inline std::uint32_t of(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}
ZL_HOST_DEVICE inline float to_float(std::uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// Rounds away the low `shift` (1..31) bits of `value`.
ZL_HOST_DEVICE inline std::uint32_t round_shift(std::uint32_t value, int shift) {
  const std::uint32_t half = (std::uint32_t{1} << (shift - 1)) - 1;
  return (value + half + ((value >> shift) & 1u)) >> shift;
}

ZL_HOST_DEVICE inline float from_bf16(std::uint16_t bf16) {
  return to_float(static_cast<std::uint32_t>(bf16) << 16);
}
ZL_HOST_DEVICE inline std::uint16_t to_bf16(float value) {
  const std::uint32_t b = of(value);
  if ((b & 0x7FFFFFFFu) > 0x7F800000u) return static_cast<std::uint16_t>(b >> 16 | 0x40u);
  return static_cast<std::uint16_t>(round_shift(b & 0x7FFFFFFFu, 16) | (b >> 16 & 0x8000u));
}

/// A float of `mantissa` explicit bits whose exponent bias is `bias`, finite or zero.
ZL_HOST_DEVICE inline float from_small(std::uint32_t magnitude, int mantissa, int bias) {
  const std::uint32_t exponent = magnitude >> mantissa;
  const std::uint32_t fraction = magnitude & ((1u << mantissa) - 1);
  if (exponent != 0) {
    return to_float((exponent + 127u - static_cast<std::uint32_t>(bias)) << 23 |
                    fraction << (23 - mantissa));
  }
  // Subnormal: fraction x 2^(1 - bias - mantissa), exact in binary32.
  const int scale = 1 - bias - mantissa;
  return static_cast<float>(fraction) * to_float(static_cast<std::uint32_t>(scale + 127) << 23);
}

/// The magnitude bits of the nearest such float; overflow runs past the largest exponent.
ZL_HOST_DEVICE inline std::uint32_t to_small(std::uint32_t magnitude, int mantissa, int bias) {
  const int exponent = static_cast<int>(magnitude >> 23) - 127;
  if (exponent >= 1 - bias) {
    const std::uint32_t rebased = magnitude - (static_cast<std::uint32_t>(127 - bias) << 23);
    return round_shift(rebased, 23 - mantissa);
  }
  const int shift = 23 - mantissa + (1 - bias - exponent);
  if (shift > 25) return 0;
  return round_shift((magnitude & 0x7FFFFFu) | 0x800000u, shift);
}

ZL_HOST_DEVICE inline float from_f16(std::uint16_t f16) {
  const std::uint32_t sign = static_cast<std::uint32_t>(f16 & 0x8000u) << 16;
  const std::uint32_t magnitude = f16 & 0x7FFFu;
  if (magnitude >= 0x7C00u) return to_float(sign | 0x7F800000u | (magnitude & 0x3FFu) << 13);
  return to_float(sign | of(from_small(magnitude, 10, 15)));
}
ZL_HOST_DEVICE inline std::uint16_t to_f16(float value) {
  const std::uint32_t sign = of(value) >> 16 & 0x8000u;
  const std::uint32_t magnitude = of(value) & 0x7FFFFFFFu;
  if (magnitude > 0x7F800000u) {
    return static_cast<std::uint16_t>(sign | 0x7E00u | (magnitude >> 13 & 0x3FFu));
  }
  const std::uint32_t rounded = magnitude >= 0x47800000u ? 0x7C00u : to_small(magnitude, 10, 15);
  return static_cast<std::uint16_t>(sign | (rounded > 0x7C00u ? 0x7C00u : rounded));
}

ZL_HOST_DEVICE inline float from_e4m3(std::uint8_t e4m3) {
  const std::uint32_t sign = static_cast<std::uint32_t>(e4m3 & 0x80u) << 24;
  const std::uint32_t magnitude = e4m3 & 0x7Fu;
  if (magnitude == 0x7Fu) return to_float(sign | 0x7FC00000u);
  return to_float(sign | of(from_small(magnitude, 3, 7)));
}
ZL_HOST_DEVICE inline std::uint8_t to_e4m3(float value) {
  const std::uint32_t sign = of(value) >> 24 & 0x80u;
  const std::uint32_t magnitude = of(value) & 0x7FFFFFFFu;
  if (magnitude > 0x7F800000u) return static_cast<std::uint8_t>(sign | 0x7Fu);
  const std::uint32_t rounded = magnitude >= 0x44000000u ? 0x7Eu : to_small(magnitude, 3, 7);
  return static_cast<std::uint8_t>(sign | (rounded > 0x7Eu ? 0x7Eu : rounded));
}

}  // namespace zl::bits
