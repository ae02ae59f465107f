#include <gtest/gtest.h>

#include <algorithm>

#include "tests/measure/bench.hpp"

namespace zl::test {
namespace {

/// One row of a table: few bytes a call, and a table of which no second copy is allowed.
struct Gather : Bench {
  std::int64_t table = 1 << 20;  ///< elements; 4 MiB, half of the memory

  Gather() {
    device.fake_memory = {std::size_t{8} << 20, std::size_t{8} << 20};
    kernel_ms = 0.002;
    define = [this](Case& c) {
      const auto x = c.in<float>({table / n, n}, normal());
      const auto y = c.out<float>({n});
      c.bytes(8.0 * static_cast<double>(n));
      c.impl(
          "own", [this](Stream s, float* out, const float* in) { twice(s, out, in); }, y, x);
    };
  }
};

TEST(Evict, ReachesColdWhereRotationCannot) {
  Gather gather;
  const Result r = gather.run();
  ASSERT_EQ(r.verdict, Verdict::ok) << r.message;
  EXPECT_EQ(r.method, Method::graph) << r.capture_reason;
  EXPECT_EQ(r.cache, Cache::cold);
  EXPECT_EQ(r.cold_by, "evict");
  EXPECT_EQ(r.copies, 1);
  EXPECT_EQ(r.cache_note, "");
  EXPECT_EQ(r.nodes_per_call, 1);
  EXPECT_NEAR(r.metrics.at("latency_us"), 2, 1e-6);
  EXPECT_EQ(r.n_repeat, 54);  // 2 ms of calls with their sweeps of 35 us
  EXPECT_TRUE(r.untrusted.empty());
  EXPECT_EQ(gather.device.live_blocks, 0);
}

TEST(Evict, TakesOverWhereACallOfManyNodesBreaksTheCap) {
  Bench bench;
  bench.n = 1 << 9;  // 4 KiB a call: 1024 copies
  bench.kernel_ms = 0.002;
  bench.device.fake_info.cold_node_cap = 2000;
  bench.define = [&](Case& c) { bench.define_repeated(c, 3); };
  const Result r = bench.run();
  ASSERT_EQ(r.verdict, Verdict::ok) << r.message;
  EXPECT_EQ(r.cache, Cache::cold);
  EXPECT_EQ(r.cold_by, "evict");
  EXPECT_EQ(r.copies, 1);
  EXPECT_NEAR(r.metrics.at("latency_us"), 6, 1e-6);
}

TEST(Evict, SweepsTwiceTheCacheBeforeEveryCallOfTheTimedGraph) {
  Gather gather;
  const Result r = gather.run();
  const auto& log = gather.device.log;
  const auto last = std::find(log.rbegin(), log.rend(), "capture:begin_capture");
  ASSERT_NE(last, log.rend());
  // The last capture is of the sweeps alone.
  EXPECT_EQ(std::count(last.base(), log.end(), "capture:sweep"), r.n_repeat);
}

TEST(Evict, ASweepTooNoisyToBeSubtractedMeansWarm) {
  Gather gather;
  gather.device.sweep_noise_ms = 0.03;
  const Result r = gather.run();
  ASSERT_EQ(r.verdict, Verdict::ok) << r.message;
  EXPECT_EQ(r.cache, Cache::warm);
  EXPECT_EQ(r.cold_by, "");
  EXPECT_NEAR(r.metrics.at("latency_us"), 2, 1e-6);
  EXPECT_NE(r.cache_note.find("too noisy"), std::string::npos) << r.cache_note;
  EXPECT_TRUE(r.untrusted.empty()) << "of windows that were discarded: " << r.untrusted[0];
}

TEST(Evict, WithoutMemoryForTheSweepMeansWarm) {
  Gather gather;
  gather.device.faults = {{.call = "allocate", .phase = "sync", .skip = 2, .code = 2}};
  const Result r = gather.run();
  ASSERT_EQ(r.verdict, Verdict::ok) << r.message;
  EXPECT_EQ(r.cache, Cache::warm);
  EXPECT_NE(r.cache_note, "");
  EXPECT_EQ(gather.device.calls["sweep"], 0);
}

TEST(Evict, HasNoSustainedWindowWhichWouldBeOfTheSweeps) {
  Gather gather;
  gather.options.sustained = SustainedChoice::on;
  const Result r = gather.run();
  ASSERT_EQ(r.verdict, Verdict::ok) << r.message;
  EXPECT_EQ(r.cold_by, "evict");
  EXPECT_EQ(r.metrics.count("sustained_us"), 0u);
  EXPECT_TRUE(std::any_of(r.notes.begin(), r.notes.end(), [](const std::string& note) {
    return note.find("no sustained window") == 0;
  }));
}

TEST(Evict, WouldMakeWarmOperandsColdToo) {
  Gather gather;
  gather.define = [&](Case& c) {
    const auto a = c.in<float>({gather.n}, normal()).warm();
    const auto x = c.in<float>({gather.table / gather.n, gather.n}, normal());
    const auto y = c.out<float>({gather.n});
    c.bytes(12.0 * static_cast<double>(gather.n));
    c.impl(
        "own",
        [&](Stream s, float* out, const float*, const float* in) { gather.twice(s, out, in); }, y,
        a, x);
  };
  const Result r = gather.run();
  ASSERT_EQ(r.verdict, Verdict::ok) << r.message;
  EXPECT_EQ(r.cache, Cache::warm);
  EXPECT_EQ(gather.device.calls["sweep"], 0);
}

TEST(Evict, IsNotForTheReferenceScheduleWhichFlushes) {
  Gather gather;
  gather.device.fake_memory.free_bytes = std::size_t{1} << 30;  // room for the flush
  gather.options.schedule = ScheduleKind::reference;
  gather.options.cache = CacheChoice::cold;
  gather.options.method = MethodChoice::direct;
  gather.options.warmup_ms = 1;
  gather.options.rep_ms = 1;
  const Result r = gather.run();
  ASSERT_EQ(r.verdict, Verdict::ok) << r.message;
  EXPECT_EQ(r.cold_by, "flush");
  EXPECT_EQ(r.cache, Cache::cold);
  EXPECT_EQ(gather.device.calls["sweep"], 0);
}

TEST(Evict, IsForCallsThatTouchLittle) {
  for (const std::int64_t n : {1 << 14, 1 << 15}) {  // 128 and 256 KiB
    Gather gather;
    gather.n = n;
    const Result r = gather.run();
    ASSERT_EQ(r.verdict, Verdict::ok) << r.message;
    EXPECT_EQ(r.cold_by, n == 1 << 14 ? "evict" : "") << n;
    EXPECT_EQ(r.cache_note.empty(), n == 1 << 14) << r.cache_note;
  }
}

TEST(Evict, IsNotForABackendWhoseSweepIsNotSteady) {
  Gather gather;
  gather.device.fake_info.can_sweep = false;
  const Result r = gather.run();
  EXPECT_EQ(r.cache, Cache::warm);
  EXPECT_EQ(gather.device.calls["sweep"], 0);
}

TEST(Evict, IsNotAskedForByAWarmMeasurement) {
  Gather gather;
  gather.options.cache = CacheChoice::warm;
  EXPECT_EQ(gather.run().cache, Cache::warm);
  EXPECT_EQ(gather.device.calls["sweep"], 0);
}

TEST(Evict, ServesDirectTimingToo) {
  Gather gather;
  gather.options.method = MethodChoice::direct;
  gather.device.enqueue_ms = 0;
  const Result r = gather.run();
  ASSERT_EQ(r.verdict, Verdict::ok) << r.message;
  EXPECT_EQ(r.cold_by, "evict");
  EXPECT_NEAR(r.metrics.at("latency_us"), 2, 1e-6);
}

TEST(Evict, ResetsComeBeforeTheSweep) {
  Gather gather;
  gather.define = [&](Case& c) {
    const auto x = c.in<float>({gather.table / gather.n, gather.n}, normal());
    const auto y = c.out<float>({gather.n});
    c.bytes(8.0 * static_cast<double>(gather.n));
    c.reset(y);
    c.impl(
        "own", [&](Stream s, float* out, const float* in) { gather.twice(s, out, in); }, y, x);
  };
  const Result r = gather.run();
  ASSERT_EQ(r.verdict, Verdict::ok) << r.message;
  EXPECT_EQ(r.cold_by, "evict");
  EXPECT_NEAR(r.metrics.at("latency_us"), 2, 1e-6);
  EXPECT_TRUE(r.untrusted.empty()) << r.untrusted[0];
  const auto& log = gather.device.log;
  const auto reset = std::find(log.rbegin(), log.rend(), "capture:set_bytes");
  ASSERT_NE(reset, log.rend());
  EXPECT_NE(std::find(reset.base(), log.end(), "capture:sweep"), log.end());
}

TEST(Evict, TheSpeedupLeavesTheSweepsOut) {
  Gather gather;
  gather.options.versus = "slow";
  gather.define = [&](Case& c) {
    const auto x = c.in<float>({gather.table / gather.n, gather.n}, normal());
    const auto y = c.out<float>({gather.n});
    c.bytes(8.0 * static_cast<double>(gather.n));
    for (const bool slow : {false, true}) {
      c.impl(
          slow ? "slow" : "own",
          [&, slow](Stream s, float* out, const float* in) {
            gather.twice(s, out, in);
            if (slow) gather.twice(s, out, in);
          },
          y, x);
    }
  };
  const Result r = gather.run();
  ASSERT_EQ(r.verdict, Verdict::ok) << r.message;
  EXPECT_EQ(r.cold_by, "evict");
  EXPECT_NEAR(r.metrics.at("speedup"), 2, 1e-6);
}

}  // namespace
}  // namespace zl::test
