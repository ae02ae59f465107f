#pragma once

#include <string>
#include <vector>

namespace zl {

/// A graph whose nodes run one after the other, in the DOT language.
std::string chain_dot(const std::vector<std::string>& labels);

}  // namespace zl
