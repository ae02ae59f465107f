#include "measure/timed_graph.hpp"

namespace zl {

TimedGraph::TimedGraph(Device& device, OwnedGraph graph, std::int64_t calls)
    : device_(device),
      graph_(std::move(graph)),
      exec_(device, graph_.get()),
      calls_(calls),
      nodes_(device.count_nodes(graph_.get())),
      start_(device),
      end_(device) {}

void TimedGraph::upload(Stream stream) { device_.upload(exec_.get(), stream); }

void TimedGraph::replay(Stream stream) {
  device_.launch(exec_.get(), stream);
  device_.synchronize(stream);
}

double TimedGraph::replay_ms(Stream stream) {
  device_.record(start_.get(), stream);
  device_.launch(exec_.get(), stream);
  device_.record(end_.get(), stream);
  device_.synchronize(end_.get());
  return device_.elapsed_ms(start_.get(), end_.get()) / static_cast<double>(calls_);
}

}  // namespace zl
