#include "measure/one_call.hpp"

#include "measure/timed_graph.hpp"
#include "zl/error.hpp"

namespace zl {

Error unlike_eager(const char* reason, const std::string& detail) {
  return Error(Errc::device, 0, reason, "graph", detail);
}

OneCall check_one_call(Device& device, Calls& calls, const Verified& verified, Stream stream,
                       Progress& progress, const std::function<void(Phase)>& enter,
                       GraphDump* dump) {
  enter(Phase::capture);
  OwnedGraph graph = capture_calls(device, calls, 1, Content::calls);
  if (dump != nullptr) dump->write(graph.get(), 1);
  OneCall found;
  found.structure = device.inspect(graph.get());
  if (found.structure.nodes == 0) {
    throw unlike_eager("NothingCaptured",
                       "the captured graph is empty: its work went to another stream, as the "
                       "default one; launch it on the stream that the call is given");
  }
  enter(Phase::instantiate);
  TimedGraph one(device, std::move(graph), 1);
  enter(Phase::replay);
  // What the capture let through to another stream must not land between poison and comparison.
  device.synchronize();
  prepare_single_call(calls, stream);
  device.synchronize();
  one.replay(stream);
  device.synchronize();
  const std::string wrong = verified.check_replay(calls, stream, progress);
  if (!wrong.empty()) throw unlike_eager("ReplayMismatch", wrong);

  // A kernel with a programmatic launch starts before the one ahead of it has ended, be that of
  // the same call or of the one before.
  enter(Phase::capture);
  const OwnedGraph two = capture_calls(device, calls, 2, Content::prepared_calls);
  const std::int64_t edges = device.inspect(two.get()).programmatic_edges;
  if (edges > 2 * found.structure.programmatic_edges) found.overlap = Overlap::cut;
  return found;
}

}  // namespace zl
