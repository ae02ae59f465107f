#include "report/marker.hpp"

#include "report/console.hpp"
#include "report/utf8.hpp"

namespace zl {
namespace {

constexpr std::size_t detail_code_points = 160;

std::string token(std::string_view text) {
  std::string safe;
  for (const char32_t c : decode_utf8(text)) {
    const bool plain = c > 0x20 && c < 0x7F && c != U'\'' && c != U'"' && c != U'\\' && c != U'=';
    safe.push_back(plain ? static_cast<char>(c) : '_');
  }
  return safe.empty() ? "unknown" : safe;
}

std::string in_quotes(std::string_view text) {
  std::string escaped = "'";
  for (const char32_t c : one_line(text).substr(0, detail_code_points)) {
    if (c == U'\\' || c == U'\'') escaped.push_back('\\');
    append_utf8(escaped, c);
  }
  return escaped + "'";
}

std::string_view colour_of(std::string_view marker) {
  if (marker == marker_direct) return "\x1b[33m";
  if (marker == marker_poisoned) return "\x1b[31m";
  return "";
}

}  // namespace

std::string marker_line(std::string_view marker, std::string_view op, const Failure& failure) {
  std::string line(marker);
  line += " op=" + token(op);
  line += " phase=" + std::string(name(failure.phase));
  line += " reason=" + token(failure.reason);
  line += " detail=" + in_quotes(failure.detail);
  return line;
}

std::string marker_text(std::string_view marker, std::string_view op, const Failure& failure,
                        bool colours) {
  const std::string line = marker_line(marker, op, failure);
  const std::string_view colour = colours ? colour_of(marker) : "";
  if (colour.empty()) return line + "\n";
  return std::string(colour) + line + "\x1b[0m\n";
}

void print_marker(int fd, std::string_view marker, std::string_view op, const Failure& failure) {
  write_all(fd, marker_text(marker, op, failure, colours_on(fd)));
}

}  // namespace zl
