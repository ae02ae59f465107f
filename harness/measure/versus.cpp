#include "measure/versus.hpp"

#include "measure/capture.hpp"
#include "measure/statistics.hpp"
#include "measure/timed_graph.hpp"
#include "zl/error.hpp"

namespace zl {

namespace {

constexpr int interleaved_pairs = 10;

}  // namespace

double interleaved_speedup(Device& device, Calls& own, Overlap own_overlap, Calls& other,
                           const Verified& other_verified, std::int64_t n_repeat, Stream stream,
                           Progress& progress) {
  const OneCall one = check_one_call(device, other, other_verified, stream, progress,
                                     [&progress](Phase phase) { progress.phase(phase); });
  if (one.structure.persisting_bytes > 0) {
    throw Error(Errc::device, 0, "PersistingCache", "graph",
                "it asks L2 to keep lines that the other's calls would find there");
  }
  const Overlap overlap = one.overlap == Overlap::cut ? Overlap::cut : own_overlap;
  const auto capture = [&](Calls& of, std::int64_t count, Content content) {
    return capture_calls(device, of, count, content, overlap);
  };
  progress.phase(Phase::replay);
  // The other implementation may need more nodes a call.
  const std::int64_t nodes = device.count_nodes(capture(other, 1, Content::prepared_calls).get());
  const std::int64_t calls =
      within_cap(n_repeat, own.buffers().copies(), nodes, device.info().cold_node_cap);
  if (calls == 0) {
    throw Error(Errc::device, 0, "TooManyNodes", "graph",
                std::to_string(nodes) + " nodes a call do not fit one graph");
  }
  TimedGraph first(device, capture(own, calls, Content::prepared_calls), calls);
  TimedGraph second(device, capture(other, calls, Content::prepared_calls), calls);
  std::vector<TimedGraph*> graphs{&first, &second};
  std::optional<TimedGraph> preparations;
  if (own.need_preparation()) {
    preparations.emplace(device, capture(own, calls, Content::preparations), calls);
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
