#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

/// Element types. The 16-bit and 8-bit floats are storage types: a kernel casts the pointer to its
/// vendor's own type of the same size (`__half`, `__nv_bfloat16`, `__nv_fp8_e4m3`).
namespace zl {

/// IEEE 754 binary16.
struct f16 {
  std::uint16_t bits = 0;
};
/// bfloat16: the upper half of a binary32.
struct bf16 {
  std::uint16_t bits = 0;
};
/// 8-bit float, 4 exponent and 3 mantissa bits, no infinity, NaN is 0x7F or 0xFF, largest 448
/// (OCP 8-bit floating point specification 1.0).
struct e4m3 {
  std::uint8_t bits = 0;
};
using f32 = float;
using f64 = double;
using i32 = std::int32_t;
using i64 = std::int64_t;
using u8 = std::uint8_t;

enum class DType : std::uint8_t { f16, bf16, e4m3, f32, f64, i32, i64, u8 };

/// "f16", "bf16", ...: the spelling of TYPES in zl_add_perf_test() and of test names.
std::string_view name(DType type);
/// Bytes of one element.
std::size_t size_of(DType type);
bool is_floating(DType type);

/// Conversions round to nearest, ties to even. e4m3 saturates at +-448; NaN stays NaN.
float to_float(f16 value);
float to_float(bf16 value);
float to_float(e4m3 value);
f16 to_f16(float value);
bf16 to_bf16(float value);
e4m3 to_e4m3(float value);

template <class T>
struct dtype_of {
  static_assert(sizeof(T) == 0,
                "no element type of zl-bench: take f16, bf16, e4m3, f32, f64, i32, i64 or u8 of "
                "namespace zl; a function's __half* is given a zl::f16* by itself");
};
// clang-format off
template <> struct dtype_of<f16>  { static constexpr DType value = DType::f16; };
template <> struct dtype_of<bf16> { static constexpr DType value = DType::bf16; };
template <> struct dtype_of<e4m3> { static constexpr DType value = DType::e4m3; };
template <> struct dtype_of<f32>  { static constexpr DType value = DType::f32; };
template <> struct dtype_of<f64>  { static constexpr DType value = DType::f64; };
template <> struct dtype_of<i32>  { static constexpr DType value = DType::i32; };
template <> struct dtype_of<i64>  { static constexpr DType value = DType::i64; };
template <> struct dtype_of<u8>   { static constexpr DType value = DType::u8; };
// clang-format on
template <class T>
inline constexpr DType dtype_of_v = dtype_of<T>::value;

/// A value of any element type as a number, and back: what host functions and references use.
template <class T>
inline double to_double(T value) {
  return static_cast<double>(value);
}
inline double to_double(f16 value) { return to_float(value); }
inline double to_double(bf16 value) { return to_float(value); }
inline double to_double(e4m3 value) { return to_float(value); }
/// Floats round as above; integers truncate.
template <class T>
inline T from_float(float value) {
  return static_cast<T>(value);
}
template <>
inline f16 from_float<f16>(float value) {
  return to_f16(value);
}
template <>
inline bf16 from_float<bf16>(float value) {
  return to_bf16(value);
}
template <>
inline e4m3 from_float<e4m3>(float value) {
  return to_e4m3(value);
}

/// Element `index` of an untyped buffer.
double element(DType type, const void* data, std::size_t index);

}  // namespace zl
