#include "measure/graph_dump.hpp"

#include "zl/error.hpp"

namespace zl {

namespace {

std::string graph_of(std::int64_t calls) {
  return "the graph of " + std::to_string(calls) + (calls == 1 ? " call" : " calls");
}

}  // namespace

void GraphDump::write(Graph graph, std::int64_t calls) {
  if (path_.empty()) return;
  std::string text;
  try {
    text = device_.dot(graph);
  } catch (const Error& e) {
    device_.clear_last_error();
    progress_.notice("zl-bench: --zl_dump_graph: " + graph_of(calls) +
                     " could not be printed: " + e.what());
    return;
  }
  progress_.graph("// zl-bench: " + graph_of(calls) + "\n" + text);
  calls_ = calls;
}

void GraphDump::explain(const std::string& failure) {
  if (path_.empty()) return;
  progress_.notice("zl-bench: --zl_dump_graph: " +
                   (calls_ == 0 ? "no graph was captured, so " + path_ + " is not written"
                                : path_ + " holds " + graph_of(calls_)) +
                   "; " + failure);
}

}  // namespace zl
