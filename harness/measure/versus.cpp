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
      device.count_nodes(capture_calls(device, other, 1, Content::calls).get());
  const std::int64_t calls =
      within_cap(n_repeat, own.buffers().copies(), nodes, device.info().cold_node_cap);
  if (calls == 0) {
    throw Error(Errc::device, 0, "TooManyNodes", "graph",
                std::to_string(nodes) + " nodes a call do not fit one graph");
  }
  TimedGraph first(device, capture_calls(device, own, calls, Content::calls_with_resets), calls);
  TimedGraph second(device, capture_calls(device, other, calls, Content::calls_with_resets), calls);
  own.reset_all(stream);
  for (TimedGraph* graph : {&first, &second}) {
    graph->upload(stream);
    graph->replay(stream);
  }
  std::vector<double> ratios;
  for (int pair = 0; pair < interleaved_pairs; ++pair) {
    double own_ms = 0;
    double other_ms = 0;
    // The order alternates, so that neither always runs on the warmer chip.
    if (pair % 2 == 0) own_ms = first.replay_ms(stream);
    other_ms = second.replay_ms(stream);
    if (pair % 2 == 1) own_ms = first.replay_ms(stream);
    if (!(own_ms > 0) || !(other_ms > 0)) {
      throw Error(Errc::untimeable, "an interleaved replay took no time");
    }
    ratios.push_back(other_ms / own_ms);
  }
  return stats::median(ratios);
}

}  // namespace zl
