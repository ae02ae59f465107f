#include "measure/versus.hpp"

#include "measure/capture.hpp"
#include "measure/statistics.hpp"
#include "measure/timed_graph.hpp"
#include "zl/error.hpp"

namespace zl {

namespace {

constexpr int interleaved_pairs = 10;

}  // namespace

double interleaved_speedup(Device& device, Calls& own, Calls& other, std::int64_t n_repeat,
                           Stream stream) {
  // The other implementation may need more nodes a call.
  const std::int64_t nodes =
      device.count_nodes(capture_calls(device, other, 1, Content::prepared_calls).get());
  const std::int64_t calls =
      within_cap(n_repeat, own.buffers().copies(), nodes, device.info().cold_node_cap);
  if (calls == 0) {
    throw Error(Errc::device, 0, "TooManyNodes", "graph",
                std::to_string(nodes) + " nodes a call do not fit one graph");
  }
  TimedGraph first(device, capture_calls(device, own, calls, Content::prepared_calls), calls);
  TimedGraph second(device, capture_calls(device, other, calls, Content::prepared_calls), calls);
  std::vector<TimedGraph*> graphs{&first, &second};
  std::optional<TimedGraph> preparations;
  if (own.need_preparation()) {
    preparations.emplace(device, capture_calls(device, own, calls, Content::preparations), calls);
    graphs.push_back(&*preparations);
  }
  own.reset_all(stream);
  for (TimedGraph* graph : graphs) graph->upload(stream);
  ReplayTrain train(device, graphs, stream, true);
  train.round();
  std::vector<double> ratios;
  for (int pair = 0; pair < interleaved_pairs; ++pair) {
    const std::vector<double>& ms = train.round();
    const double prepared_ms = preparations ? ms[2] : 0;
    const double own_ms = ms[0] - prepared_ms;
    const double other_ms = ms[1] - prepared_ms;
    if (!(own_ms > 0) || !(other_ms > 0)) {
      throw Error(Errc::untimeable, "an interleaved replay took no time");
    }
    ratios.push_back(other_ms / own_ms);
  }
  train.finish();
  return stats::median(ratios);
}

}  // namespace zl
