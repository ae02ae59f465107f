#pragma once

#include <cstdint>

#include "zl/float_bits.hpp"

namespace ops {

/// Unsigned integers in the order of the values that they stand for, which is how kernels that
/// sort or select compare: -inf < finite < inf < NaN, and -0 before +0. Every NaN becomes the same
/// one.
ZL_HOST_DEVICE inline std::uint32_t to_ordered(float value) {
  const std::uint32_t bits = zl::bits::of(value);
  if ((bits & 0x7FFFFFFFu) > 0x7F800000u) return 0xFFFFFFFFu;
  return (bits & 0x80000000u) != 0 ? ~bits : bits | 0x80000000u;
}
ZL_HOST_DEVICE inline std::uint32_t to_ordered(std::int32_t value) {
  return static_cast<std::uint32_t>(value) ^ 0x80000000u;
}

/// The value back; T is float or std::int32_t.
template <class T>
ZL_HOST_DEVICE T from_ordered(std::uint32_t ordered);
template <>
ZL_HOST_DEVICE inline float from_ordered<float>(std::uint32_t ordered) {
  return zl::bits::to_float((ordered & 0x80000000u) != 0 ? ordered & 0x7FFFFFFFu : ~ordered);
}
template <>
ZL_HOST_DEVICE inline std::int32_t from_ordered<std::int32_t>(std::uint32_t ordered) {
  return static_cast<std::int32_t>(ordered ^ 0x80000000u);
}

}  // namespace ops
