#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "device/device.hpp"
#include "device/gpu/gpu_check.hpp"
#include "device/gpu/gpu_properties.hpp"

namespace zl::gpu {

/// Finds out what a captured graph is made of, child graphs included.
template <class Api>
class GraphWalk {
 public:
  /// The attributes of kernels and edges cost microseconds a node.
  enum class Detail { nodes, all };
  explicit GraphWalk(Detail detail) : detail_(detail) {}

  GraphStructure structure(typename Api::GraphHandle graph) {
    add(graph);
    return found_;
  }

 private:
  void add(typename Api::GraphHandle graph) {
    std::size_t count = 0;
    check<Api>(Api::graph_nodes(graph, nullptr, &count), "GraphGetNodes");
    std::vector<typename Api::NodeHandle> nodes(count);
    if (count != 0) check<Api>(Api::graph_nodes(graph, nodes.data(), &count), "GraphGetNodes");
    for (const auto node : nodes) add_node(node);
    if (detail_ == Detail::nodes) return;
    std::size_t programmatic = 0;
    check<Api>(Api::programmatic_edges(graph, &programmatic), "GraphGetEdges");
    found_.programmatic_edges += static_cast<std::int64_t>(programmatic);
  }

  void add_node(typename Api::NodeHandle node) {
    NodeKind kind = NodeKind::other;
    check<Api>(Api::node_kind(node, &kind), "GraphNodeGetType");
    switch (kind) {
      case NodeKind::kernel:
        ++found_.nodes;
        if (detail_ == Detail::all) add_window(node);
        return;
      case NodeKind::work:
        ++found_.nodes;
        return;
      case NodeKind::child: {
        typename Api::GraphHandle child{};
        check<Api>(Api::child_graph(node, &child), "GraphChildGraphNodeGetGraph");
        add(child);
        return;
      }
      case NodeKind::allocation:
        ++found_.allocations;
        return;
      case NodeKind::other:
        return;
    }
  }

  void add_window(typename Api::NodeHandle node) {
    std::size_t persisting = 0;
    check<Api>(Api::persisting_window(node, &persisting), "GraphKernelNodeGetAttribute");
    found_.persisting_bytes =
        std::max(found_.persisting_bytes, static_cast<std::int64_t>(persisting));
  }

  Detail detail_;
  GraphStructure found_;
};

}  // namespace zl::gpu
