#include "measure/timed_graph.hpp"

#include "zl/error.hpp"

namespace zl {

TimedGraph::TimedGraph(Device& device, OwnedGraph graph, std::int64_t calls)
    : device_(device),
      graph_(std::move(graph)),
      exec_(device, graph_.get()),
      calls_(calls),
      start_(device),
      end_(device) {}

void TimedGraph::upload(Stream stream) { device_.upload(exec_.get(), stream); }

void TimedGraph::launch(Stream stream) { device_.launch(exec_.get(), stream); }

void TimedGraph::replay(Stream stream) {
  launch(stream);
  device_.synchronize(stream);
}

double TimedGraph::replay_ms(Stream stream) {
  device_.record(start_.get(), stream);
  launch(stream);
  device_.record(end_.get(), stream);
  device_.synchronize(end_.get());
  return device_.elapsed_ms(start_.get(), end_.get()) / static_cast<double>(calls_);
}

ReplayTrain::ReplayTrain(Device& device, std::vector<TimedGraph*> graphs, Stream stream, bool ahead)
    : device_(device), graphs_(std::move(graphs)), stream_(stream), ahead_(ahead) {
  // Those of a round on its way, of the one before it, and the boundary ahead of that.
  for (std::size_t i = 0; i < 2 * graphs_.size() + 1; ++i) events_.emplace_back(device);
}

ReplayTrain::~ReplayTrain() {
  try {
    finish();
  } catch (const Error&) {
    device_.clear_last_error();  // the error that ended the train is the one to tell
  }
}

void ReplayTrain::finish() {
  if (collected_ == enqueued_) return;
  collected_ = enqueued_;
  device_.synchronize(stream_);
}

void ReplayTrain::enqueue() {
  // With nothing on its way the boundary ahead has long passed: a new one takes its place.
  if (collected_ == enqueued_) device_.record(boundary(enqueued_).get(), stream_);
  for (TimedGraph* graph : graphs_) {
    graph->launch(stream_);
    device_.record(boundary(++enqueued_).get(), stream_);
  }
}

const std::vector<double>& ReplayTrain::round() {
  if (ahead_ && collected_ == enqueued_) enqueue();
  enqueue();
  device_.synchronize(boundary(collected_ + graphs_.size()).get());
  ms_.clear();
  for (TimedGraph* graph : graphs_) {
    const double ms =
        device_.elapsed_ms(boundary(collected_).get(), boundary(collected_ + 1).get());
    ++collected_;
    device_ms_ += ms;
    ms_.push_back(ms / static_cast<double>(graph->calls()));
  }
  return ms_;
}

}  // namespace zl
