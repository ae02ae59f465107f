#pragma once

#include <string>

namespace zl {

/// All of a file. Errc::usage with the reason where it cannot be read.
std::string file_text(const std::string& path);

}  // namespace zl
