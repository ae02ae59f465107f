#include "report/file_text.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <ios>
#include <iterator>

#include "zl/error.hpp"

namespace zl {

std::string file_text(const std::string& path) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (file) {
    try {
      return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    } catch (const std::ios_base::failure&) {  // of the buffer: no stream catches it here
    }
  }
  throw Error(Errc::usage, std::string("it cannot be read: ") + std::strerror(errno));
}

}  // namespace zl
