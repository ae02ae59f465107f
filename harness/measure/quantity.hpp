#pragma once

#include <array>
#include <cstdio>
#include <string>

namespace zl {

/// A number for a sentence: four significant digits and its unit.
inline std::string rounded(double value, const char* unit) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%.4g %s", value, unit);
  return text.data();
}

}  // namespace zl
