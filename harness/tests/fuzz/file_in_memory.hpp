#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "tests/fuzz/contract.hpp"

namespace zl::fuzz {

/// A file whose content is the input, on no disk.
class FileInMemory {
 public:
  FileInMemory(const std::uint8_t* data, std::size_t size) : fd_(::memfd_create("input", 0)) {
    promised(fd_ >= 0 && ::write(fd_, data, size) == static_cast<ssize_t>(size));
  }
  ~FileInMemory() { ::close(fd_); }
  FileInMemory(const FileInMemory&) = delete;
  FileInMemory& operator=(const FileInMemory&) = delete;

  std::string path() const { return "/proc/self/fd/" + std::to_string(fd_); }

 private:
  int fd_;
};

}  // namespace zl::fuzz
