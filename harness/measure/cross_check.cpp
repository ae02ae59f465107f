#include "measure/cross_check.hpp"

#include <algorithm>

#include "measure/statistics.hpp"

namespace zl {

namespace {

constexpr int traced_rounds = 3;

double us(std::uint64_t from_ns, std::uint64_t to_ns) {
  return (static_cast<double>(to_ns) - static_cast<double>(from_ns)) / 1e3;
}

}  // namespace

CrossCheck summarize_trace(const std::vector<TraceRecord>& records, std::int64_t nodes_per_call,
                           std::int64_t calls) {
  const auto nodes = static_cast<std::size_t>(nodes_per_call);
  std::vector<double> spans, busy, gaps;
  std::uint64_t previous_end = 0;
  for (std::size_t first = 0; first + nodes <= records.size(); first += nodes) {
    const std::uint64_t start = records[first].start_ns;
    const auto index = static_cast<std::int64_t>(first / nodes);
    if (index % calls != 0) gaps.push_back(us(previous_end, start));
    std::uint64_t end = start;
    double running = 0;
    for (std::size_t i = first; i < first + nodes; ++i) {
      const TraceRecord& record = records[i];
      if (record.end_ns <= end) continue;
      running += us(std::max(end, record.start_ns), record.end_ns);
      end = record.end_ns;
    }
    spans.push_back(us(start, end));
    busy.push_back(running);
    previous_end = end;
  }
  CrossCheck check;
  check.span_us = stats::mean(spans);
  check.busy_us = stats::mean(busy);
  check.gap_us = gaps.empty() ? 0 : stats::mean(gaps);
  return check;
}

CrossCheckOutcome cross_check(Device& device, TimedGraph& graph, std::int64_t nodes_per_call,
                              double untraced_ms, Stream stream) {
  std::vector<double> replays_ms;
  std::vector<TraceRecord> records = device.trace([&] {
    ReplayTrain train(device, {&graph}, stream, true);
    train.round();
    for (int i = 0; i < traced_rounds; ++i) replays_ms.push_back(train.round()[0]);
    train.finish();
  });
  // One replay ahead of the timed ones, and one on its way when they ended.
  const auto in_replay = static_cast<std::size_t>(nodes_per_call * graph.calls());
  const std::size_t expected = (traced_rounds + 2) * in_replay;
  if (records.size() != expected) {
    return {std::nullopt, "the profiler saw " + std::to_string(records.size()) +
                              " operations in place of " + std::to_string(expected)};
  }
  records.erase(records.begin(), records.begin() + static_cast<std::ptrdiff_t>(in_replay));
  records.resize(traced_rounds * in_replay);
  CrossCheck check = summarize_trace(records, nodes_per_call, graph.calls());
  const double replay_ms = stats::mean(replays_ms);
  check.replay_us = 1e3 * replay_ms;
  check.slowdown_pct = 100 * (replay_ms / untraced_ms - 1);
  return {check, ""};
}

}  // namespace zl
