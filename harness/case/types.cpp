#include "zl/types.hpp"

#include "device/fill_formula.hpp"
#include "zl/error.hpp"

namespace zl {

std::string_view name(DType type) {
  switch (type) {
    case DType::f16:
      return "f16";
    case DType::bf16:
      return "bf16";
    case DType::e4m3:
      return "e4m3";
    case DType::f32:
      return "f32";
    case DType::f64:
      return "f64";
    case DType::i32:
      return "i32";
    case DType::i64:
      return "i64";
    case DType::u8:
      return "u8";
  }
  throw Error(Errc::internal, "name(DType): not a type");
}

std::size_t size_of(DType type) {
  switch (type) {
    case DType::e4m3:
    case DType::u8:
      return 1;
    case DType::f16:
    case DType::bf16:
      return 2;
    case DType::f32:
    case DType::i32:
      return 4;
    case DType::f64:
    case DType::i64:
      return 8;
  }
  throw Error(Errc::internal, "size_of(DType): not a type");
}

bool is_floating(DType type) {
  return type != DType::i32 && type != DType::i64 && type != DType::u8;
}

float to_float(f16 value) { return bits::from_f16(value.bits); }
float to_float(bf16 value) { return bits::from_bf16(value.bits); }
float to_float(e4m3 value) { return bits::from_e4m3(value.bits); }
f16 to_f16(float value) { return {bits::to_f16(value)}; }
bf16 to_bf16(float value) { return {bits::to_bf16(value)}; }
e4m3 to_e4m3(float value) { return {bits::to_e4m3(value)}; }

double element(DType type, const void* data, std::size_t index) {
  return load_element(data, type, index);
}

}  // namespace zl
