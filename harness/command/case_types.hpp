#pragma once

#include <string>
#include <vector>

#include "zl/types.hpp"

namespace zl {

/// The types that "e4m3:e4m3:bf16" names. A usage error for any other name, with the allowed ones.
std::vector<DType> dtypes_of(const std::string& types);

}  // namespace zl
