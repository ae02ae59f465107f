#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "device/device.hpp"
#include "measure/result.hpp"

namespace zl {

/// The file of --zl_dump_graph: each captured graph of calls as soon as there is one, in place of
/// the one before, so that it is there whatever becomes of the graph. The last one is the timed
/// graph, or that of the failure. A graph that cannot be printed is told on standard error and
/// changes nothing else.
class GraphDump {
 public:
  /// Does nothing where `path` is empty.
  GraphDump(Device& device, std::string path, Progress& progress)
      : device_(device), path_(std::move(path)), progress_(progress) {}

  /// What Progress::graph() throws passes on.
  void write(Graph graph, std::int64_t calls);
  /// Says what is in the file where the capture of the timed graph failed, or replaying it.
  void explain(const std::string& failure);

 private:
  Device& device_;
  std::string path_;
  Progress& progress_;
  std::int64_t calls_ = 0;  ///< of the graph in the file; 0: none was written
};

}  // namespace zl
