#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

#include "zl/fill.hpp"
#include "zl/float_bits.hpp"
#include "zl/philox.hpp"
#include "zl/types.hpp"

/// Element i of an input as a function of its key: integer arithmetic and one fused multiply-add,
/// so that every backend computes the same bits. The poison of a type is here too.
namespace zl {

/// A Fill with its constants worked out.
struct FillPlan {
  Fill::Kind kind = Fill::Kind::constant;
  float scale = 0;
  float offset = 0;
  std::int64_t low = 0;
  std::uint64_t range = 1;
};

inline FillPlan plan(const Fill& fill) {
  FillPlan p;
  p.kind = fill.kind;
  switch (fill.kind) {
    case Fill::Kind::normal: {
      // Eight uniforms on 0..65535: variance 8 (65536^2 - 1) / 12.
      const double sigma = std::sqrt(8.0 * (65536.0 * 65536.0 - 1) / 12.0);
      p.scale = static_cast<float>(fill.b / sigma);
      p.offset = static_cast<float>(fill.a);
      break;
    }
    case Fill::Kind::uniform:
      p.scale = static_cast<float>((fill.b - fill.a) * 0x1p-24);
      p.offset = static_cast<float>(fill.a);
      break;
    case Fill::Kind::integers:
      p.low = static_cast<std::int64_t>(fill.a);
      p.range = static_cast<std::uint64_t>(fill.b - fill.a);
      break;
    case Fill::Kind::constant:
      p.offset = static_cast<float>(fill.a);
      p.low = static_cast<std::int64_t>(fill.a);
      break;
    case Fill::Kind::values:  // not a formula: fill_host() alone knows them
      break;
  }
  return p;
}

ZL_HOST_DEVICE inline float fill_float(const FillPlan& p, std::uint64_t key, std::uint64_t index);

/// The whole number that `integers` draws; `range` is below 2^32.
ZL_HOST_DEVICE inline std::int64_t fill_integer(const FillPlan& p, std::uint64_t key,
                                                std::uint64_t index) {
  if (p.kind == Fill::Kind::constant) return p.low;
  if (p.kind != Fill::Kind::integers) return static_cast<std::int64_t>(fill_float(p, key, index));
  const std::uint32_t word = philox4x32_10(index, 0, key).word[0];
  return p.low + static_cast<std::int64_t>(word * p.range >> 32);
}

ZL_HOST_DEVICE inline float fill_float(const FillPlan& p, std::uint64_t key, std::uint64_t index) {
  if (p.kind == Fill::Kind::constant) return p.offset;
  if (p.kind == Fill::Kind::integers) return static_cast<float>(fill_integer(p, key, index));
  const PhiloxBlock block = philox4x32_10(index, 0, key);
  if (p.kind == Fill::Kind::uniform) {
    return fmaf(static_cast<float>(block.word[0] >> 8), p.scale, p.offset);
  }
  std::int32_t sum = 0;
  for (std::uint32_t word : block.word) {
    sum += static_cast<std::int32_t>(word & 0xFFFFu) + static_cast<std::int32_t>(word >> 16);
  }
  return fmaf(static_cast<float>(sum - 4 * 65535), p.scale, p.offset);
}

/// Writes element `index` of a buffer of `type`.
ZL_HOST_DEVICE inline void fill_element(void* to, DType type, const FillPlan& p, std::uint64_t key,
                                        std::uint64_t index) {
  switch (type) {
    case DType::f16:
      static_cast<std::uint16_t*>(to)[index] = bits::to_f16(fill_float(p, key, index));
      return;
    case DType::bf16:
      static_cast<std::uint16_t*>(to)[index] = bits::to_bf16(fill_float(p, key, index));
      return;
    case DType::e4m3:
      static_cast<std::uint8_t*>(to)[index] = bits::to_e4m3(fill_float(p, key, index));
      return;
    case DType::f32:
      static_cast<float*>(to)[index] = fill_float(p, key, index);
      return;
    case DType::f64:
      static_cast<double*>(to)[index] = fill_float(p, key, index);
      return;
    case DType::i32:
      static_cast<std::int32_t*>(to)[index] =
          static_cast<std::int32_t>(fill_integer(p, key, index));
      return;
    case DType::i64:
      static_cast<std::int64_t*>(to)[index] = fill_integer(p, key, index);
      return;
    case DType::u8:
      static_cast<std::uint8_t*>(to)[index] =
          static_cast<std::uint8_t>(fill_integer(p, key, index));
      return;
  }
}

/// Writes `value`, which a type of integers must be able to hold, into element `index`.
inline void store_element(void* to, DType type, std::uint64_t index, double value) {
  FillPlan p;
  p.offset = static_cast<float>(value);
  switch (type) {
    case DType::f64:
      static_cast<double*>(to)[index] = value;
      return;
    case DType::i32:
    case DType::i64:
    case DType::u8:
      p.low = static_cast<std::int64_t>(value);
      break;
    default:
      break;
  }
  fill_element(to, type, p, 0, index);
}

/// Elements [first, last) of an input on the host, whatever its Fill; `to` is where element 0 is.
inline void fill_host(void* to, DType type, const Fill& fill, std::uint64_t key, std::int64_t first,
                      std::int64_t last) {
  if (fill.kind == Fill::Kind::values) {
    for (std::int64_t i = first; i < last; ++i) {
      store_element(to, type, static_cast<std::uint64_t>(i),
                    (*fill.list)[static_cast<std::size_t>(i)]);
    }
    return;
  }
  const FillPlan p = plan(fill);
  for (std::int64_t i = first; i < last; ++i) {
    fill_element(to, type, p, key, static_cast<std::uint64_t>(i));
  }
}

/// The bit pattern that outputs are filled with before a call, one no op writes by itself: a NaN
/// with a payload for floats (hardware makes only canonical NaNs), for e4m3 the negative NaN, for
/// integers 0xA5 in every byte.
ZL_HOST_DEVICE inline std::uint64_t poison_bits(DType type) {
  switch (type) {
    case DType::f16:
      return 0x7DA5u;
    case DType::bf16:
      return 0x7FA5u;
    case DType::e4m3:
      return 0xFFu;
    case DType::f32:
      return 0x7FA5A5A5u;
    case DType::f64:
      return 0x7FF5A5A5A5A5A5A5u;
    case DType::i32:
      return 0xA5A5A5A5u;
    case DType::i64:
      return 0xA5A5A5A5A5A5A5A5u;
    case DType::u8:
      return 0xA5u;
  }
  return 0;
}

/// Element `index` as a double, NaN and infinities kept: what compare() and find_nonfinite() see.
ZL_HOST_DEVICE inline double load_element(const void* data, DType type, std::uint64_t index) {
  switch (type) {
    case DType::f16:
      return bits::from_f16(static_cast<const std::uint16_t*>(data)[index]);
    case DType::bf16:
      return bits::from_bf16(static_cast<const std::uint16_t*>(data)[index]);
    case DType::e4m3:
      return bits::from_e4m3(static_cast<const std::uint8_t*>(data)[index]);
    case DType::f32:
      return static_cast<const float*>(data)[index];
    case DType::f64:
      return static_cast<const double*>(data)[index];
    case DType::i32:
      return static_cast<const std::int32_t*>(data)[index];
    case DType::i64:
      return static_cast<double>(static_cast<const std::int64_t*>(data)[index]);
    case DType::u8:
      return static_cast<const std::uint8_t*>(data)[index];
  }
  return 0;
}

/// zl::Tolerance's rule. NaN matches NaN, an infinity itself.
ZL_HOST_DEVICE inline bool within(double got, double want, double relative, double absolute) {
  if (got == want) return true;
  const bool got_nan = got != got;
  const bool want_nan = want != want;
  if (got_nan || want_nan) return got_nan && want_nan;
  const double difference = got > want ? got - want : want - got;
  const double size = want < 0 ? -want : want;
  // An infinite side gives an infinite difference, and infinity <= infinity would pass.
  return difference <= 1.7976931348623157e308 && difference <= absolute + relative * size;
}

}  // namespace zl
