#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "report/utf8.hpp"

namespace zl::test {

struct MeasurementTag {
  std::string type, name, value;
};

/// Reads `<CTestMeasurement type="T" name="N">text</CTestMeasurement>` and nothing else: no other
/// white space, only the five entities, no raw `<`, no character that XML 1.0 forbids.
inline std::optional<MeasurementTag> parse_tag(std::string_view line) {
  const auto take = [&line](std::string_view token) {
    if (line.substr(0, token.size()) != token) return false;
    line.remove_prefix(token.size());
    return true;
  };
  const auto text_until = [&](char stop) -> std::optional<std::string> {
    std::string text;
    while (!line.empty() && line[0] != stop) {
      const char c = line[0];
      if (c == '<' || c == '>' || c == '"') return std::nullopt;
      if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) return std::nullopt;
      if (c != '&') {
        text.push_back(c);
        line.remove_prefix(1);
      } else if (take("&amp;")) {
        text.push_back('&');
      } else if (take("&lt;")) {
        text.push_back('<');
      } else if (take("&gt;")) {
        text.push_back('>');
      } else if (take("&quot;")) {
        text.push_back('"');
      } else if (take("&apos;")) {
        text.push_back('\'');
      } else {
        return std::nullopt;
      }
    }
    if (valid_utf8(text) != text) return std::nullopt;
    return text;
  };
  MeasurementTag tag;
  if (!take("<CTestMeasurement type=\"")) return std::nullopt;
  const auto type = text_until('"');
  if (!type || !take("\" name=\"")) return std::nullopt;
  const auto name = text_until('"');
  if (!name || !take("\">")) return std::nullopt;
  const auto value = text_until('<');
  if (!value || line != "</CTestMeasurement>") return std::nullopt;
  return MeasurementTag{*type, *name, *value};
}

}  // namespace zl::test
