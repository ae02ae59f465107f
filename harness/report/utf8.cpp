#include "report/utf8.hpp"

namespace zl {
namespace {

/// What may follow a lead byte: how many bytes, and the range of the first of them (it excludes
/// overlong forms, surrogates and what is above U+10FFFF).
struct Lead {
  int continuations = -1;  ///< -1: no lead byte
  unsigned char low = 0x80;
  unsigned char high = 0xBF;
  char32_t bits = 0;
};

Lead lead(unsigned char byte) {
  const char32_t value = byte;
  if (byte < 0x80) return {0, 0, 0, value};
  if (byte >= 0xC2 && byte <= 0xDF) return {1, 0x80, 0xBF, value & 0x1F};
  if (byte == 0xE0) return {2, 0xA0, 0xBF, value & 0x0F};
  if (byte == 0xED) return {2, 0x80, 0x9F, value & 0x0F};
  if (byte >= 0xE1 && byte <= 0xEF) return {2, 0x80, 0xBF, value & 0x0F};
  if (byte == 0xF0) return {3, 0x90, 0xBF, value & 0x07};
  if (byte >= 0xF1 && byte <= 0xF3) return {3, 0x80, 0xBF, value & 0x07};
  if (byte == 0xF4) return {3, 0x80, 0x8F, value & 0x07};
  return {};
}

}  // namespace

std::u32string decode_utf8(std::string_view text) {
  std::u32string points;
  points.reserve(text.size());
  std::size_t i = 0;
  while (i < text.size()) {
    Lead first = lead(static_cast<unsigned char>(text[i++]));
    int missing = first.continuations;
    while (missing > 0 && i < text.size()) {
      const auto byte = static_cast<unsigned char>(text[i]);
      if (byte < first.low || byte > first.high) break;
      first.bits = (first.bits << 6) | (byte & 0x3Fu);
      first.low = 0x80;
      first.high = 0xBF;
      --missing;
      ++i;
    }
    points.push_back(missing == 0 ? first.bits : replacement_character);
  }
  return points;
}

void append_utf8(std::string& to, char32_t c) {
  const auto put = [&to](char32_t byte) { to.push_back(static_cast<char>(byte)); };
  if (c < 0x80) {
    put(c);
  } else if (c < 0x800) {
    put(0xC0 | (c >> 6));
    put(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    put(0xE0 | (c >> 12));
    put(0x80 | ((c >> 6) & 0x3F));
    put(0x80 | (c & 0x3F));
  } else {
    put(0xF0 | (c >> 18));
    put(0x80 | ((c >> 12) & 0x3F));
    put(0x80 | ((c >> 6) & 0x3F));
    put(0x80 | (c & 0x3F));
  }
}

std::string valid_utf8(std::string_view text) {
  std::string valid;
  valid.reserve(text.size());
  for (const char32_t c : decode_utf8(text)) append_utf8(valid, c);
  return valid;
}

bool is_space_or_control(char32_t c) {
  if (c <= 0x20 || (c >= 0x7F && c <= 0xA0)) return true;
  if (c >= 0x2000 && c <= 0x200A) return true;
  return c == 0x1680 || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}

std::u32string one_line(std::string_view text) {
  std::u32string line;
  bool pending = false;
  for (const char32_t c : decode_utf8(text)) {
    if (is_space_or_control(c)) {
      pending = !line.empty();
      continue;
    }
    if (pending) line.push_back(U' ');
    pending = false;
    line.push_back(c);
  }
  return line;
}

std::string one_line_utf8(std::string_view text) {
  std::string line;
  for (const char32_t c : one_line(text)) append_utf8(line, c);
  return line;
}

}  // namespace zl
