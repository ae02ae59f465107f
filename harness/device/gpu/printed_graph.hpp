#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "device/gpu/gpu_check.hpp"

namespace zl::gpu {

/// An empty file of its own name, for as long as this lives.
class TemporaryPath {
 public:
  TemporaryPath() {
    const int fd = ::mkstemp(path_.data());
    if (fd < 0) throw Error(Errc::device, "cannot make a temporary file like " + path_);
    ::close(fd);
  }
  TemporaryPath(const TemporaryPath&) = delete;
  TemporaryPath& operator=(const TemporaryPath&) = delete;
  ~TemporaryPath() { ::unlink(path_.c_str()); }
  const std::string& text() const { return path_; }

 private:
  std::string path_ = (std::filesystem::temp_directory_path() / "zl-graph-XXXXXX").string();
};

/// A captured graph in the DOT language. The runtimes print it to a named file only.
template <class Api>
std::string printed_graph(typename Api::GraphHandle graph) {
  const TemporaryPath path;
  check<Api>(Api::print_graph(graph, path.text().c_str()), "GraphDebugDotPrint");
  std::ostringstream text;
  text << std::ifstream(path.text()).rdbuf();
  return text.str();
}

}  // namespace zl::gpu
