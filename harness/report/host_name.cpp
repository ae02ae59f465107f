#include "report/host_name.hpp"

#include <unistd.h>

#include <array>

#include "report/utf8.hpp"

namespace zl {

std::string host_name() {
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) != 0) return "";
  return valid_utf8(name.data());
}

}  // namespace zl
