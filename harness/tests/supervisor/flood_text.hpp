#pragma once

#include <string>

namespace zl {

/// 10 MB of different lines.
inline std::string flood_text() {
  std::string text;
  text.reserve(10'000'100);
  for (int i = 0; text.size() < 10'000'000; ++i) {
    text += "line " + std::to_string(i) + std::string(static_cast<std::size_t>(i % 97), '.') + "\n";
  }
  return text;
}

/// What a relay must not touch: an empty line, control bytes, no UTF-8, a line longer than any
/// buffer, and no line end at the end.
inline std::string odd_bytes() {
  std::string text = "first\n\n";
  for (int byte = 0; byte < 256; ++byte) text += static_cast<char>(byte);
  return text + "\n" + std::string(200'000, 'x') + "\r\nlast";
}

}  // namespace zl
