#pragma once

#include <string>
#include <string_view>

namespace zl {

inline constexpr char32_t replacement_character = 0xFFFD;

/// The code points of a text; each maximal invalid part becomes one U+FFFD.
std::u32string decode_utf8(std::string_view text);
void append_utf8(std::string& to, char32_t code_point);

/// The text with each invalid part replaced by U+FFFD.
std::string valid_utf8(std::string_view text);

/// C0, C1, DEL and Unicode's white space.
bool is_space_or_control(char32_t code_point);

/// The text as one line: runs of white space and control characters become single spaces, those at
/// its ends are dropped, invalid UTF-8 is replaced.
std::u32string one_line(std::string_view text);
/// The same as UTF-8.
std::string one_line_utf8(std::string_view text);

}  // namespace zl
