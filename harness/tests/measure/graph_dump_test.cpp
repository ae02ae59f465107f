// --zl_dump_graph: which graph its file holds in the end, whatever became of the measurement.
#include <gtest/gtest.h>

#include "tests/measure/bench.hpp"

namespace zl::test {
namespace {

struct DumpingBench : Bench {
  DumpingBench() { options.dump_graph = "graph.dot"; }
};

std::size_t nodes_of(const std::string& dot) {
  std::size_t nodes = 0;
  for (std::size_t at = dot.find("[label="); at != std::string::npos;
       at = dot.find("[label=", at + 1)) {
    ++nodes;
  }
  return nodes;
}

/// The last graph, whose first line says of how many calls it is.
void expect_graph_of(const Bench& bench, std::int64_t calls) {
  ASSERT_FALSE(bench.progress.graphs.empty());
  const std::string& dot = bench.progress.graphs.back();
  const std::string first = "// zl-bench: the graph of " + std::to_string(calls) +
                            (calls == 1 ? " call\n" : " calls\n") + "digraph ";
  EXPECT_EQ(dot.substr(0, first.size()), first);
  EXPECT_EQ(nodes_of(dot), static_cast<std::size_t>(calls));
  EXPECT_EQ(dot.substr(dot.size() - 2), "}\n");
}

std::string only_notice(const Bench& bench) {
  EXPECT_EQ(bench.progress.notices.size(), 1u);
  return bench.progress.notices.empty() ? "" : bench.progress.notices[0];
}

TEST(GraphDump, OfAMeasuredCaseIsTheTimedGraph) {
  DumpingBench bench;
  const Result r = bench.run();
  EXPECT_EQ(r.method, Method::graph);
  EXPECT_GT(r.n_repeat, 20);
  expect_graph_of(bench, r.n_repeat);
  EXPECT_TRUE(bench.progress.notices.empty());
}

TEST(GraphDump, ChangesNoNumber) {
  Bench plain;
  DumpingBench dumping;
  const Result without = plain.run();
  const Result with = dumping.run();
  EXPECT_EQ(with.metrics, without.metrics);
  EXPECT_EQ(with.notes, without.notes);
  EXPECT_EQ(plain.device.calls["dot"], 0);
  EXPECT_TRUE(plain.progress.graphs.empty());
}

TEST(GraphDump, OfAReplayThatDiffersIsTheGraphOfOneCall) {
  DumpingBench bench;
  bench.define = [&bench](Case& c) {
    const auto x = c.in<float>({bench.n}, normal());
    const auto y = c.out<float>({bench.n});
    c.impl(
        "own",
        [&bench](Stream s, float* out, const float* in) {
          if (fake::stream_of(s).capture) return fake::launch(s, 0.01, [] {});
          bench.twice(s, out, in);
        },
        y, x);
    c.expect(y, twice_rows, same_rows(x));
  };
  const Result r = bench.run();
  EXPECT_EQ(r.capture_reason, "replay:ReplayMismatch");
  EXPECT_EQ(r.method, Method::direct);
  expect_graph_of(bench, 1);
  EXPECT_NE(only_notice(bench).find("graph.dot holds the graph of 1 call; replay failed"),
            std::string::npos)
      << only_notice(bench);
}

TEST(GraphDump, OfAGraphThatIsNotInstantiatedIsThatGraph) {
  DumpingBench bench;
  // Those of one call, of the probe, and of the timed graph.
  bench.device.faults = {{.call = "instantiate", .skip = 2, .times = 9, .code = 999}};
  const Result r = bench.run();
  EXPECT_EQ(r.capture_reason, "instantiate:cudaErrorUnknown");
  Bench healthy;
  expect_graph_of(bench, healthy.run().n_repeat);
}

TEST(GraphDump, OfAReplayThatKillsTheContextIsThere) {
  DumpingBench bench;
  bench.device.faults = {{.call = "launch", .code = 700, .kills = true}};
  EXPECT_TRUE(bench.run().context_dead);
  expect_graph_of(bench, 1);
}

TEST(GraphDump, OfACallThatCapturesNothingIsEmpty) {
  DumpingBench bench;
  bench.define = [&bench](Case& c) {
    const auto x = c.in<float>({bench.n}, normal());
    const auto y = c.out<float>({bench.n});
    c.impl(
        "own",
        [&bench](Stream, float* out, const float* in) {
          bench.twice(bench.device.default_stream(), out, in);
        },
        y, x);
  };
  EXPECT_EQ(bench.run().capture_reason, "capture:NothingCaptured");
  ASSERT_EQ(bench.progress.graphs.size(), 1u);
  EXPECT_EQ(nodes_of(bench.progress.graphs[0]), 0u);
}

TEST(GraphDump, WhereTheCaptureIsInvalidatedSaysThatThereIsNone) {
  DumpingBench bench;
  bench.device.faults = {{.call = "end_capture", .code = 901}};
  EXPECT_EQ(bench.run().verdict, Verdict::ok);
  EXPECT_TRUE(bench.progress.graphs.empty());
  EXPECT_NE(only_notice(bench).find("no graph was captured, so graph.dot is not written; capture "
                                    "failed: end_capture: cudaErrorStreamCaptureInvalidated"),
            std::string::npos)
      << only_notice(bench);
}

TEST(GraphDump, WhereALaterCaptureFailsTheEarlierGraphStaysAndIsNamed) {
  DumpingBench bench;
  bench.device.faults = {{.call = "end_capture", .skip = 1, .code = 901}};
  EXPECT_EQ(bench.run().method, Method::direct);
  expect_graph_of(bench, 1);
  EXPECT_NE(only_notice(bench).find("graph.dot holds the graph of 1 call"), std::string::npos);
}

TEST(GraphDump, WithoutACaptureSaysWhy) {
  DumpingBench bench;
  bench.options.method = MethodChoice::direct;
  EXPECT_EQ(bench.run().verdict, Verdict::ok);
  EXPECT_NE(only_notice(bench).find("no graph was captured, so graph.dot is not written; METHOD "
                                    "direct"),
            std::string::npos)
      << only_notice(bench);
}

TEST(GraphDump, AGraphThatCannotBePrintedIsToldAndTheResultStands) {
  Bench plain;
  DumpingBench bench;
  bench.device.faults = {{.call = "dot", .times = 9, .code = 999}};
  const Result r = bench.run();
  EXPECT_EQ(r.verdict, Verdict::ok);
  EXPECT_EQ(r.capture, Capture::clean);
  EXPECT_EQ(r.metrics, plain.run().metrics);
  EXPECT_TRUE(bench.progress.graphs.empty());
  EXPECT_TRUE(bench.progress.markers.empty());
  ASSERT_FALSE(bench.progress.notices.empty());
  EXPECT_NE(bench.progress.notices[0].find("the graph of 1 call could not be printed: dot: "),
            std::string::npos)
      << bench.progress.notices[0];
  EXPECT_GE(bench.device.calls["clear_last_error"], 1);
}

TEST(GraphDump, AFileThatCannotBeWrittenIsAUsageErrorAndNoFallback) {
  struct Full : Recorder {
    void graph(const std::string&) override { throw Error(Errc::usage, "cannot write graph.dot"); }
  } full;
  DumpingBench bench;
  const Op op{"twice", {"n"}, {{"f32", [&](Case& c) { bench.define(c); }}}};
  const Result r =
      measure(bench.device, op, {"twice", "own", "f32", "64", "fake"}, bench.options, full);
  EXPECT_EQ(r.verdict, Verdict::usage);
  EXPECT_EQ(r.message, "cannot write graph.dot");
  EXPECT_TRUE(full.markers.empty());
  EXPECT_EQ(bench.device.live_graphs, 0);
  EXPECT_EQ(bench.device.open_captures(), 0);
}

}  // namespace
}  // namespace zl::test
