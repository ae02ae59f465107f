#include <gtest/gtest.h>

#include "tests/measure/bench.hpp"

namespace zl::test {
namespace {

ClockState state(bool slowed, int processes = 1) {
  ClockState clocks;
  clocks.limit_reasons = slowed ? "HwThermalSlowdown" : "None";
  clocks.slowed = slowed;
  clocks.processes = processes;
  return clocks;
}

TEST(Slowdown, AWindowOfHeatIsRepeated) {
  Bench bench;
  bench.options.cache = CacheChoice::warm;
  // At the start, then under the load of each window.
  bench.device.clock_states = {state(false), state(true), state(false)};
  const Result r = bench.run();
  ASSERT_EQ(r.verdict, Verdict::ok) << r.message;
  EXPECT_TRUE(r.untrusted.empty());
  ASSERT_EQ(r.notes.size(), 1u);
  EXPECT_NE(r.notes[0].find("HwThermalSlowdown"), std::string::npos);
  EXPECT_EQ(r.clocks_end.limit_reasons, "None");
  EXPECT_EQ(bench.device.calls["clocks"], 3);
}

TEST(Slowdown, ThatStaysMarksTheResultAndNeverEmptiesIt) {
  for (const MethodChoice method : {MethodChoice::graph, MethodChoice::direct}) {
    Bench bench;
    bench.options.cache = CacheChoice::warm;
    bench.options.method = method;
    bench.device.clock_states = {state(false), state(true)};
    const Result r = bench.run();
    ASSERT_EQ(r.verdict, Verdict::ok) << r.message;
    EXPECT_TRUE(r.has_latency());
    ASSERT_EQ(r.untrusted.size(), 1u);
    EXPECT_NE(r.untrusted[0].find("HwThermalSlowdown"), std::string::npos);
  }
}

TEST(Slowdown, UnderContinuousLoadIsToldApartFromTheBurst) {
  Bench bench;
  bench.options.cache = CacheChoice::warm;
  bench.options.sustained = SustainedChoice::on;
  // At the start, in the burst, under continuous load.
  bench.device.clock_states = {state(false), state(false), state(true)};
  const Result r = bench.run();
  ASSERT_EQ(r.untrusted.size(), 1u);
  EXPECT_NE(r.untrusted[0].find("under continuous load"), std::string::npos) << r.untrusted[0];
  Bench slow;
  slow.options.cache = CacheChoice::warm;
  slow.options.sustained = SustainedChoice::on;
  // Three bursts, and then it has cooled down.
  slow.device.clock_states = {state(false), state(true), state(true), state(true), state(false)};
  const Result after = slow.run();
  ASSERT_EQ(after.untrusted.size(), 1u) << "the latency is of a slowed burst";
  EXPECT_EQ(after.untrusted[0].find("under continuous load"), std::string::npos);
}

TEST(Build, ThatIsNotToBeReliedOnMarksEveryResultAheadOfOtherReasons) {
  for (const MethodChoice method : {MethodChoice::graph, MethodChoice::direct}) {
    Bench bench;
    bench.options.cache = CacheChoice::warm;
    bench.options.method = method;
    bench.options.untrusted_build = {"built without optimization"};
    bench.device.clock_states = {state(false), state(true)};
    const Result r = bench.run();
    ASSERT_EQ(r.verdict, Verdict::ok) << r.message;
    EXPECT_TRUE(r.has_latency());
    ASSERT_EQ(r.untrusted.size(), 2u);
    EXPECT_EQ(r.untrusted[0], "built without optimization");
  }
}

TEST(Disturbance, ByAnotherProcessMarksTheResultThoughTheSamplesDoNotShowIt) {
  for (const bool at_the_end : {false, true}) {
    Bench bench;
    bench.options.cache = CacheChoice::warm;
    bench.device.clock_states = {state(false, at_the_end ? 1 : 2),
                                 state(false, at_the_end ? 2 : 1)};
    const Result r = bench.run();
    ASSERT_EQ(r.verdict, Verdict::ok) << r.message;
    EXPECT_TRUE(r.has_latency());
    ASSERT_EQ(r.untrusted.size(), 1u);
    EXPECT_NE(r.untrusted[0].find("1 other process"), std::string::npos) << r.untrusted[0];
  }
}

TEST(Disturbance, OfUnknownCauseMarksTheResultOfAGpu) {
  for (const bool is_gpu : {true, false}) {
    Bench bench;
    bench.options.cache = CacheChoice::warm;
    bench.kernel_ms = 0.5;
    bench.device.noise_sigma = 0.2;
    bench.device.fake_info.is_gpu = is_gpu;
    EXPECT_EQ(bench.run().untrusted.size(), is_gpu ? 1u : 0u);
  }
}

TEST(Disturbance, OfACpuMarksAResultWhoseMedianIsHardlyKnown) {
  for (const double noise : {0.05, 1.5}) {
    Bench bench;
    bench.options.cache = CacheChoice::warm;
    bench.kernel_ms = 0.5;
    bench.device.noise_sigma = noise;
    bench.device.fake_info.is_gpu = false;
    const Result r = bench.run();
    ASSERT_EQ(r.verdict, Verdict::ok) << r.message;
    EXPECT_EQ(r.untrusted.size(), noise > 1 ? 1u : 0u) << r.metrics.at("ci_pct");
  }
}

TEST(Disturbance, OfACpuIsJudgedByTheSpreadOfFewSamples) {
  Bench bench;
  bench.options.cache = CacheChoice::warm;
  bench.kernel_ms = 200;
  bench.device.noise_sigma = 0.5;
  bench.device.fake_info.is_gpu = false;
  const Result r = bench.run();
  ASSERT_EQ(r.verdict, Verdict::ok) << r.message;
  ASSERT_FALSE(r.metrics.contains("ci_pct"));
  ASSERT_EQ(r.untrusted.size(), 1u) << r.metrics.at("cv_pct");
  EXPECT_NE(r.untrusted[0].find("cv_pct"), std::string::npos);
}

TEST(Disturbance, OfSingleCallsIsJudgedByWhatIsKnownOfTheirMedian) {
  Bench bench;
  bench.options.cache = CacheChoice::warm;
  bench.options.method = MethodChoice::direct;
  bench.device.noise_sigma = 0.1;
  const Result r = bench.run();
  ASSERT_EQ(r.verdict, Verdict::ok) << r.message;
  EXPECT_GT(r.metrics.at("cv_pct"), 3);
  EXPECT_LT(r.metrics.at("ci_pct"), 3);
  EXPECT_TRUE(r.untrusted.empty());
}

/// y = 2 x declares 8 bytes an element. On a slow device: the fake really computes each element.
struct Copy : Bench {
  explicit Copy(double share_of_bandwidth) {
    n = 1 << 9;
    device.fake_info.peak_bandwidth_GBps = 0.25;
    kernel_ms = 8.0 * static_cast<double>(n) / (share_of_bandwidth * 0.25e6);
  }
};

TEST(Implausible, IsAColdRateAboveTheMemorysByMoreThanFivePercent) {
  for (const double share : {1.04, 1.06}) {
    Copy bench(share);
    const Result r = bench.run();
    ASSERT_EQ(r.verdict, Verdict::ok) << r.message;
    ASSERT_EQ(r.cache, Cache::cold);
    EXPECT_EQ(!r.implausible.empty(), share > 1.05) << r.implausible;
  }
}

TEST(Implausible, IsNotAWarmRateAboveTheMemorys) {
  Copy bench(3);
  bench.options.cache = CacheChoice::warm;
  EXPECT_EQ(bench.run().implausible, "");
}

TEST(Implausible, IsArithmeticAboveThePeakWhateverTheCache) {
  // The fake's peak is 100 TFLOP/s, and eight times that for f32, as by TF32.
  for (const double share : {8.3, 8.5}) {
    Bench bench;
    bench.options.cache = CacheChoice::warm;
    bench.options.sustained = SustainedChoice::off;
    bench.define = [&](Case& c) {
      bench.define_twice(c);
      c.flops(share * 100e12 * 0.05e-3);
    };
    const Result r = bench.run();
    EXPECT_EQ(!r.implausible.empty(), share > 8.4) << r.implausible;
  }
}

TEST(Peak, IsTheHighestOfTheTypesThatACallReads) {
  for (const double share : {0.5, 1.5}) {
    Bench bench;
    bench.options.cache = CacheChoice::warm;
    bench.options.sustained = SustainedChoice::off;
    bench.device.fake_info.peak_TFLOPS = [](DType type) {
      return type == DType::i64   ? std::optional<double>()
             : type == DType::f32 ? std::optional<double>(10)
                                  : std::optional<double>(100);
    };
    bench.define = [&](Case& c) {
      const auto offsets = c.in<i64>({bench.n}, constant(1));
      const auto scales = c.in<float>({bench.n}, normal());
      const auto x = c.in<f16>({bench.n}, normal());
      const auto y = c.out<float>({bench.n});
      c.flops(share * 100e12 * 0.05e-3);
      c.impl(
          "own",
          [&](Stream s, float* out, const i64*, const float* in, const f16*) {
            bench.twice(s, out, in);
          },
          y, offsets, scales, x);
    };
    const Result r = bench.run();
    ASSERT_EQ(r.verdict, Verdict::ok) << r.message;
    EXPECT_EQ(r.implausible.empty(), share < 1);
    if (share < 1) {
      EXPECT_NEAR(r.metrics.at("peak_pct"), 50, 0.1);
    }
  }
}

TEST(Timer, ThatRunsAheadIsNotExcusedByTheRestBeforeTheBurst) {
  Bench bench;
  bench.options.cache = CacheChoice::warm;
  bench.device.timer_scale = 1.3;
  bench.define = [&](Case& c) {
    bench.define_twice(c);
    c.flops(0.3 * 100e12 * 0.05e-3);  // which makes that rest a long one
  };
  EXPECT_EQ(bench.run().verdict, Verdict::untimeable);
}

TEST(Implausible, IsAFailureWithoutANumberWhereAskedFor) {
  Copy bench(2);
  bench.options.strict = true;
  const Result r = bench.run();
  EXPECT_EQ(r.verdict, Verdict::untimeable);
  EXPECT_FALSE(r.has_latency());
  EXPECT_NE(r.message.find("implausible"), std::string::npos) << r.message;
}

TEST(PersistingCache, ThatTheAttemptSawIsNotForgottenByTheFallback) {
  Bench bench;
  bench.device.persisting_window_bytes = 1 << 16;
  // The graph of the probe, after that of one call has been looked at.
  bench.device.faults = {{.call = "instantiate", .skip = 1, .code = 999}};
  const Result r = bench.run();
  ASSERT_EQ(r.method, Method::direct) << r.message;
  EXPECT_EQ(r.cache, Cache::warm);
  EXPECT_NE(r.cache_note.find("65536 bytes"), std::string::npos) << r.cache_note;
}

TEST(PersistingCache, IsResetBeforeTheReplaysAndMakesTheResultWarm) {
  for (const bool window : {true, false}) {
    Bench bench;
    if (window) {
      bench.device.persisting_window_bytes = 1 << 16;
    } else {
      bench.device.persisting_cache_bytes = 1 << 16;
    }
    const Result r = bench.run();
    ASSERT_EQ(r.verdict, Verdict::ok) << r.message;
    EXPECT_EQ(r.cache, Cache::warm);
    EXPECT_EQ(r.cold_by, "");
    EXPECT_NE(r.cache_note.find("65536 bytes"), std::string::npos) << r.cache_note;
    EXPECT_EQ(bench.count("replay", "reset_persisting_cache"), 1);
  }
}

}  // namespace
}  // namespace zl::test
