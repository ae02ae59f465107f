#pragma once

#include <string>

namespace zl {

/// The machine's name, as valid UTF-8; empty where it has none.
std::string host_name();

}  // namespace zl
