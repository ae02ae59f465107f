#include <gtest/gtest.h>

#include "measure/cross_check.hpp"
#include "tests/measure/bench.hpp"

namespace zl::test {
namespace {

/// A call of some kernels, each of which may start before the one ahead of it has ended.
struct Programmatic : Bench {
  explicit Programmatic(int kernels) {
    options.cache = CacheChoice::warm;
    define = [this, kernels](Case& c) {
      const auto y = c.out<float>({n});
      c.impl(
          "own",
          [this, kernels](Stream s, float* out) {
            for (int i = 0; i < kernels; ++i) {
              device.launch(
                  fake::stream_of(s), 0.05, [this, out] { std::fill_n(out, n, 1.0f); }, true);
            }
          },
          y);
    };
  }
};

TEST(Overlap, OfACallWithTheOneBeforeItIsCutAndRecorded) {
  Programmatic bench(1);
  const Result r = bench.run();
  ASSERT_EQ(r.verdict, Verdict::ok) << r.message;
  EXPECT_NEAR(r.metrics.at("latency_us"), 50, 1e-6);  // 45 where it starts early
  EXPECT_EQ(r.nodes_per_call, 1);
  ASSERT_EQ(r.notes.size(), 1u);
  EXPECT_NE(r.notes[0].find("programmatic"), std::string::npos);
}

TEST(Overlap, InsideACallIsTheCallsOwn) {
  Programmatic bench(2);
  const Result r = bench.run();
  ASSERT_EQ(r.verdict, Verdict::ok) << r.message;
  EXPECT_NEAR(r.metrics.at("latency_us"), 95, 1e-6);
}

TEST(Overlap, IsNotLookedForInOrdinaryCalls) {
  Bench bench;
  ASSERT_EQ(bench.run().verdict, Verdict::ok);
  EXPECT_EQ(bench.device.calls["cut_capture"], 0);
}

TEST(CrossCheck, TellsSpanBusyTimeAndGap) {
  // Two calls of two operations that overlap by 200 ns, then two that do not; one replay.
  const std::vector<TraceRecord> records = {{1000, 2000}, {1800, 2500}, {2900, 3900}, {4000, 5000}};
  const CrossCheck check = summarize_trace(records, 2, 2);
  EXPECT_DOUBLE_EQ(check.span_us, (1.5 + 2.1) / 2);
  EXPECT_DOUBLE_EQ(check.busy_us, (1.5 + 2.0) / 2);
  EXPECT_DOUBLE_EQ(check.gap_us, 0.4);
}

TEST(CrossCheck, LeavesOutTheGapBetweenReplays) {
  const std::vector<TraceRecord> records = {{0, 1000}, {1500, 2500}, {9000, 10000}, {10500, 11500}};
  EXPECT_DOUBLE_EQ(summarize_trace(records, 1, 2).gap_us, 0.5);
}

TEST(CrossCheck, CountsAnOperationInsideAnotherOnce) {
  const CrossCheck check = summarize_trace({{0, 5000}, {1000, 2000}}, 2, 1);
  EXPECT_DOUBLE_EQ(check.span_us, 5);
  EXPECT_DOUBLE_EQ(check.busy_us, 5);
}

TEST(CrossCheck, IsOfReplaysOfTheTimedGraph) {
  Bench bench;
  bench.options.cross_check = true;
  bench.device.node_gap_ms = 0.001;
  bench.device.first_traced_scale = 2;  // the replay that sets up the profiler does not count
  const Result r = bench.run();
  ASSERT_EQ(r.verdict, Verdict::ok) << r.message;
  ASSERT_TRUE(r.cross_check);
  EXPECT_NEAR(r.cross_check->replay_us, 51, 1e-6);
  EXPECT_NEAR(r.cross_check->span_us, 50, 1e-3);  // records are in whole ns
  EXPECT_NEAR(r.cross_check->busy_us, 50, 1e-3);
  EXPECT_NEAR(r.cross_check->gap_us, 1, 1e-3);
  EXPECT_NEAR(r.cross_check->slowdown_pct, 0, 1e-3);
}

TEST(CrossCheck, IsLeftOutWhereTheProfilerSawOtherOperations) {
  Bench bench;
  bench.options.cross_check = true;
  bench.device.lost_records = 1;
  const Result r = bench.run();
  ASSERT_EQ(r.verdict, Verdict::ok) << r.message;
  EXPECT_FALSE(r.cross_check);
  ASSERT_EQ(r.notes.size(), 1u);
  EXPECT_NE(r.notes[0].find("no cross-check"), std::string::npos);
}

TEST(CrossCheck, ThatFailsLeavesTheResultAsItIs) {
  for (const char* call : {"trace", "instantiate"}) {
    Bench bench;
    bench.options.cross_check = true;
    // Graphs of one call, of the probe and of the timed calls are made before it.
    const int skip = call == std::string("instantiate") ? 3 : 0;
    bench.device.faults = {{.call = call, .skip = skip, .code = 999}};
    const Result r = bench.run();
    EXPECT_EQ(r.verdict, Verdict::ok) << r.message;
    EXPECT_EQ(r.capture, Capture::clean);
    EXPECT_TRUE(r.has_latency());
    EXPECT_NE(r.message.find("no cross-check"), std::string::npos) << r.message;
    EXPECT_EQ(bench.progress.completed.size(), 1u) << "what was measured is safe before it";
  }
}

TEST(CrossCheck, ComesAfterTheComparisonWithVersus) {
  Bench bench;
  bench.options.cross_check = true;
  bench.options.versus = "other";
  bench.define = [&](Case& c) {
    const auto x = c.in<float>({bench.n}, normal());
    const auto y = c.out<float>({bench.n});
    for (const char* name : {"own", "other"}) {
      c.impl(
          name, [&](Stream s, float* out, const float* in) { bench.twice(s, out, in); }, y, x);
    }
  };
  const Result r = bench.run();
  EXPECT_TRUE(r.cross_check);
  EXPECT_EQ(r.metrics.count("speedup"), 1u) << r.speedup_reason;
  const auto& log = bench.device.log;
  const auto trace = std::find(log.begin(), log.end(), "replay:trace");
  ASSERT_NE(trace, log.end());
  EXPECT_EQ(std::find(trace, log.end(), "verify:compare"), log.end());
}

TEST(CrossCheck, IsOnlyMadeWhereAskedFor) {
  Bench bench;
  EXPECT_FALSE(bench.run().cross_check);
  EXPECT_EQ(bench.device.calls["trace"], 0);
}

}  // namespace
}  // namespace zl::test
