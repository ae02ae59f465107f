#include "zl/registry.hpp"

namespace zl {

std::vector<Op>& registered_ops() {
  static std::vector<Op> ops;
  return ops;
}

Declared& declared_cases() {
  static Declared declared;
  return declared;
}

bool detail::declare_cases(Declared declared) {
  declared_cases() = std::move(declared);
  return true;
}

}  // namespace zl
