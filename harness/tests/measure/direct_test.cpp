#include <gtest/gtest.h>

#include <set>

#include "tests/measure/bench.hpp"

namespace zl::test {
namespace {

TEST(Direct, TimesEachCallBetweenItsOwnEvents) {
  Bench bench;
  bench.kernel_ms = 0.05;
  bench.device.enqueue_ms = 0.002;
  bench.options.method = MethodChoice::direct;
  const Result r = bench.run();
  ASSERT_EQ(r.verdict, Verdict::ok) << r.message;
  EXPECT_EQ(r.method, Method::direct);
  EXPECT_EQ(r.capture, Capture::off);
  EXPECT_EQ(r.capture_reason, "METHOD direct");
  EXPECT_EQ(static_cast<std::size_t>(r.n_repeat), r.samples_ms.size());
  EXPECT_NEAR(r.metrics.at("latency_us"), 50, 3);
}

TEST(Direct, ResetsStayOutsideTheEvents) {
  Bench bench;
  bench.options.method = MethodChoice::direct;
  bench.define = [&](Case& c) {
    const auto y = c.out<float>({bench.n});
    c.reset([&, y](const Launch& l) {
      fake::launch(l.stream(), 1.0, [p = l.ptr(y), n = bench.n] { std::fill_n(p, n, 0.0f); });
    });
    c.run("own", [&, y](const Launch& l) {
      fake::launch(l.stream(), 0.25, [p = l.ptr(y), n = bench.n] {
        for (std::int64_t i = 0; i < n; ++i) p[i] += 1;
      });
    });
  };
  const Result r = bench.run();
  ASSERT_EQ(r.verdict, Verdict::ok) << r.message;
  EXPECT_NEAR(r.metrics.at("latency_us"), 250, 1e-6);
}

TEST(Direct, ColdByRotationUsesTheCopiesInTurn) {
  Bench bench;
  bench.options.method = MethodChoice::direct;
  bench.n = 1 << 14;  // 32 copies
  const Result r = bench.run();
  ASSERT_EQ(r.verdict, Verdict::ok) << r.message;
  EXPECT_EQ(r.cache, Cache::cold);
  EXPECT_EQ(r.cold_by, "rotation");
  const std::vector<const float*> last(bench.inputs.end() - 32, bench.inputs.end());
  EXPECT_EQ(std::set<const float*>(last.begin(), last.end()).size(), 32u);
}

TEST(Direct, ReferenceScheduleTimesRepOverTheEstimateCalls) {
  Bench bench;
  bench.options.method = MethodChoice::direct;
  bench.options.schedule = ScheduleKind::reference;
  bench.kernel_ms = 0.1999;
  bench.device.enqueue_ms = 0;
  int direct_calls = 0;
  bench.define = [&](Case& c) {
    const auto x = c.in<float>({bench.n}, normal());
    const auto y = c.out<float>({bench.n});
    c.impl(
        "own",
        [&](Stream s, float* out, const float* in) {
          if (bench.device.current_phase == "direct") ++direct_calls;
          bench.twice(s, out, in);
        },
        y, x);
  };
  const Result r = bench.run();
  ASSERT_EQ(r.verdict, Verdict::ok) << r.message;
  EXPECT_EQ(r.samples_ms.size(), 500u);
  // Before them 5 ms of calls show that the events see the work.
  EXPECT_EQ(direct_calls, 25 + 1 + 5 + 125 + 500);
  EXPECT_EQ(r.cache, Cache::warm);
  EXPECT_EQ(r.statistic, "mean");
  EXPECT_EQ(bench.count("direct", "set_bytes"), 0);
}

TEST(Direct, ReferenceScheduleZeroesABufferBeforeEachColdCall) {
  Bench bench;
  bench.options.method = MethodChoice::direct;
  bench.options.schedule = ScheduleKind::reference;
  bench.options.cache = CacheChoice::cold;
  bench.options.rep_ms = 10;
  bench.kernel_ms = 0.999;
  bench.device.enqueue_ms = 0;
  const Result r = bench.run();
  ASSERT_EQ(r.verdict, Verdict::ok) << r.message;
  EXPECT_EQ(r.cache, Cache::cold);
  EXPECT_EQ(r.cold_by, "flush");
  // The estimate includes the flush, as the reference's does: 1.0 ms.
  EXPECT_EQ(r.samples_ms.size(), 10u);
  EXPECT_EQ(bench.count("direct", "set_bytes"), 5 + 10);
  EXPECT_NEAR(r.metrics.at("latency_us"), 999, 1e-6);
}

TEST(Direct, EventsAheadOfTheWallClockAreUntimeable) {
  for (double scale : {0.0, -1.0, 5.0}) {
    Bench bench;
    bench.options.method = MethodChoice::direct;
    bench.device.timer_scale = scale;
    EXPECT_EQ(bench.run().verdict, Verdict::untimeable) << scale;
  }
}

}  // namespace
}  // namespace zl::test
