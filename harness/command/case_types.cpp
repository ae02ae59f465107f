#include "command/case_types.hpp"

#include "cli/flag_value.hpp"
#include "zl/error.hpp"

namespace zl {
namespace {

DType dtype_named(std::string_view text) {
  std::string known;
  for (int i = 0; i <= static_cast<int>(DType::u8); ++i) {
    const auto type = static_cast<DType>(i);
    if (name(type) == text) return type;
    known += (known.empty() ? "" : ", ") + std::string(name(type));
  }
  throw Error(Errc::usage, "unknown type '" + std::string(text) + "', allowed: " + known);
}

}  // namespace

std::vector<DType> dtypes_of(const std::string& types) {
  std::vector<DType> all;
  for (const std::string_view part : split(types, ':')) all.push_back(dtype_named(part));
  return all;
}

}  // namespace zl
