#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

namespace zl {

/// JSON that somebody else wrote. Errc::usage, with the parser's reason, if it is none, or nested
/// deeper than 64: copying, comparing and printing a value recurse as deep as it is nested.
nlohmann::json json_input(std::string_view text);

}  // namespace zl
