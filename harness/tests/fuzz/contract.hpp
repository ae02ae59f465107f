#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "zl/error.hpp"

namespace zl::fuzz {

/// What a parser makes of an input; nothing where it refuses it with one of `allowed` and a reason.
/// Whatever else it throws is not caught and so ends the fuzzer, which keeps the input.
template <class Parse>
auto parsed(Parse parse, std::initializer_list<Errc> allowed = {Errc::usage})
    -> std::optional<decltype(parse())> {
  try {
    return parse();
  } catch (const Error& error) {
    const bool is_allowed = std::find(allowed.begin(), allowed.end(), error.errc) != allowed.end();
    if (!is_allowed || *error.what() == '\0') throw;
    return std::nullopt;
  }
}

/// Of what a parser let pass.
inline void promised(bool kept) {
  if (!kept) std::abort();
}

/// The input as arguments of a program, one a line; a zero ends an argument.
inline std::vector<std::string> arguments(const std::uint8_t* data, std::size_t size) {
  std::vector<std::string> lines(1);
  for (std::size_t i = 0; i < size; ++i) {
    if (data[i] == '\n') {
      lines.emplace_back();
    } else {
      lines.back() += static_cast<char>(data[i]);
    }
  }
  for (std::string& line : lines) line = line.c_str();
  return lines;
}

}  // namespace zl::fuzz
