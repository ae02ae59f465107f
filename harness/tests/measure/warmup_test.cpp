#include "measure/warmup.hpp"

#include <gtest/gtest.h>

#include "tests/measure/bench.hpp"

namespace zl::test {
namespace {

/// Calls made in the warm-up phase alone.
int warmup_calls_made(Bench& bench) {
  int before = 0;
  int at_warmup = 0;
  bench.define = [&](Case& c) {
    const auto x = c.in<float>({bench.n}, normal());
    const auto y = c.out<float>({bench.n});
    c.impl(
        "own",
        [&](Stream s, float* out, const float* in) {
          ++before;
          if (bench.device.current_phase == "warmup") ++at_warmup;
          bench.twice(s, out, in);
        },
        y, x);
  };
  EXPECT_EQ(bench.run().verdict, Verdict::ok);
  return at_warmup;
}

TEST(WarmUp, MakesTwoCallsAndThenAsManyAsTheBudgetHolds) {
  Bench bench;
  bench.kernel_ms = 0.998;  // with its launch 1.0 ms
  EXPECT_EQ(warmup_calls_made(bench), 2 + 25);
}

TEST(WarmUp, MakesSevenCallsOfALongOp) {
  Bench bench;
  bench.kernel_ms = 300;
  EXPECT_EQ(warmup_calls_made(bench), 7);
}

TEST(WarmUp, Makes202CallsOfAShortOp) {
  Bench bench;
  bench.kernel_ms = 0.001;
  EXPECT_EQ(warmup_calls_made(bench), 202);
}

TEST(WarmUp, TakesTheCapFromTheOptions) {
  Bench bench;
  bench.kernel_ms = 0.001;
  bench.options.warmup_cap = 1000;
  EXPECT_EQ(warmup_calls_made(bench), 1002);
}

TEST(WarmUp, ABudgetOfZeroOrLessMeans25Milliseconds) {
  for (double budget : {0.0, -5.0}) {
    Bench bench;
    bench.kernel_ms = 0.998;
    bench.options.warmup_ms = budget;
    EXPECT_EQ(warmup_calls_made(bench), 2 + 25) << budget;
  }
}

TEST(WarmUp, AClockThatShowsNoTimeMeans25Calls) {
  Bench bench;
  bench.kernel_ms = 0;
  bench.device.enqueue_ms = 0;
  bench.device.timer_scale = 0;
  int calls = 0;
  bench.define = [&](Case& c) {
    const auto y = c.out<float>({1});
    c.impl(
        "own",
        [&](Stream s, float* out) {
          if (bench.device.current_phase == "warmup") ++calls;
          fake::launch(s, 0, [out] { *out = 1; });
        },
        y);
  };
  EXPECT_EQ(bench.run().verdict, Verdict::untimeable);
  EXPECT_EQ(calls, 2 + 25);
}

TEST(WarmUp, ResetsRunBeforeEachCall) {
  Bench bench;
  int resets = 0;
  int calls = 0;
  bench.define = [&](Case& c) {
    const auto y = c.out<float>({bench.n});
    c.reset([&, y](const Launch& l) {
      if (bench.device.current_phase == "warmup") ++resets;
      fake::launch(l.stream(), 0.001, [p = l.ptr(y), n = bench.n] { std::fill_n(p, n, 0.0f); });
    });
    c.run("own", [&, y](const Launch& l) {
      if (bench.device.current_phase == "warmup") ++calls;
      fake::launch(l.stream(), 0.5, [p = l.ptr(y), n = bench.n] {
        for (std::int64_t i = 0; i < n; ++i) p[i] += 1;
      });
    });
  };
  bench.options.cache = CacheChoice::warm;
  EXPECT_EQ(bench.run().verdict, Verdict::ok);
  EXPECT_GT(calls, 7);
  // One copy of the operands: one reset brings it into its first state, then one a call.
  EXPECT_EQ(resets, calls + 1);
}

TEST(WarmUp, ReportsEagerAndEnqueueTimes) {
  Bench bench;
  bench.kernel_ms = 0.05;
  bench.device.enqueue_ms = 0.004;
  const Result r = bench.run();
  EXPECT_NEAR(r.metrics.at("eager_us"), 50, 1);
  EXPECT_NEAR(r.metrics.at("host_enqueue_us"), 4, 1e-6);
}

}  // namespace
}  // namespace zl::test
