#include "zl/tolerance.hpp"

namespace zl {

double unit_roundoff(DType type) {
  switch (type) {
    case DType::f16:
      return 0x1p-11;
    case DType::bf16:
      return 0x1p-8;
    case DType::e4m3:
      return 0x1p-4;
    case DType::f32:
      return 0x1p-24;
    case DType::f64:
      return 0x1p-53;
    case DType::i32:
    case DType::i64:
    case DType::u8:
      return 0;
  }
  return 0;
}

Tolerance tolerance(DType type, std::int64_t reduction, double scale) {
  if (!is_floating(type)) return {};
  // Where the output itself is near zero its own rounding still has a smallest step.
  const double smallest = type == DType::f16 ? 0x1p-24 : type == DType::e4m3 ? 0x1p-9 : 0;
  const double terms = static_cast<double>(reduction);
  return {2 * unit_roundoff(type), smallest + 4 * 0x1p-24 * terms * scale};
}

}  // namespace zl
