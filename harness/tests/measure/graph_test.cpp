#include <gtest/gtest.h>

#include "tests/measure/bench.hpp"

namespace zl::test {
namespace {

TEST(GraphTiming, MeasuresTheKernelAndNotItsLaunch) {
  Bench bench;
  bench.kernel_ms = 0.01;
  bench.device.enqueue_ms = 0.005;
  const Result r = bench.run();
  EXPECT_EQ(r.verdict, Verdict::ok);
  EXPECT_EQ(r.method, Method::graph);
  EXPECT_EQ(r.capture, Capture::clean);
  EXPECT_EQ(r.capture_reason, "");
  EXPECT_EQ(r.statistic, "median");
  // One launch of 5 us stands before the 8192 calls of a replay, which is too long to run ahead.
  EXPECT_NEAR(r.metrics.at("latency_us"), 10 + 5.0 / 8192, 1e-6);
  EXPECT_EQ(r.nodes_per_call, 1);
  EXPECT_TRUE(bench.progress.markers.empty());
}

TEST(GraphTiming, CapturesOnAFreshStreamAndUploadsBeforeAnUntimedReplay) {
  Bench bench;
  bench.options.cache = CacheChoice::warm;
  const Result r = bench.run();
  ASSERT_EQ(r.verdict, Verdict::ok);
  const auto& log = bench.device.log;
  const auto last_instantiate = std::find(log.rbegin(), log.rend(), "instantiate:instantiate");
  ASSERT_NE(last_instantiate, log.rend());
  std::vector<std::string> after;
  for (auto it = last_instantiate.base(); it != log.end(); ++it) {
    for (const char* call : {"replay:upload", "replay:launch", "replay:record"}) {
      if (*it == call) after.push_back(call + 7);
    }
  }
  // Upload; a boundary; the untimed replay; the timed ones, and one that is on its way when the
  // window closes; a boundary behind each.
  ASSERT_GE(after.size(), 2u);
  EXPECT_EQ(after[0], "upload");
  EXPECT_EQ(after[1], "record");
  EXPECT_EQ(after.size(), 2 + 2 * (r.samples_ms.size() + 2));
}

TEST(GraphTiming, AReplayHoldsAboutTwoMilliseconds) {
  Bench bench;
  bench.options.cache = CacheChoice::warm;
  bench.kernel_ms = 0.01;
  bench.device.enqueue_ms = 0;
  EXPECT_EQ(bench.run().n_repeat, 200);
}

TEST(GraphTiming, TheNodeCapBoundsAReplay) {
  Bench bench;
  bench.options.cache = CacheChoice::warm;
  bench.kernel_ms = 1e-5;
  EXPECT_EQ(bench.run().n_repeat, 10000);
  Bench musa;
  musa.options.cache = CacheChoice::warm;
  musa.device.fake_info.node_cap = 1000;
  musa.kernel_ms = 1e-5;
  EXPECT_EQ(musa.run().n_repeat, 1000);
}

TEST(GraphTiming, AllResourcesAreReleased) {
  Bench bench;
  ASSERT_EQ(bench.run().verdict, Verdict::ok);
  EXPECT_EQ(bench.device.live_streams, 0);
  EXPECT_EQ(bench.device.live_events, 0);
  EXPECT_EQ(bench.device.live_graphs, 0);
  EXPECT_EQ(bench.device.live_execs, 0);
  EXPECT_EQ(bench.device.live_blocks, 0);
}

TEST(GraphTiming, TheBenchStreamWaitsForTheInputs) {
  Bench bench;
  ASSERT_EQ(bench.run().verdict, Verdict::ok);
  EXPECT_GE(bench.count("sync", "wait"), 1);
  EXPECT_GE(bench.count("sync", "synchronize_device"), 1);
}

TEST(GraphTiming, InPlaceOperandsAreRestoredBeforeAReplayIsCompared) {
  Bench bench;
  bench.define = [&](Case& c) {
    const auto x = c.inout<float>({bench.n}, uniform(1, 2));
    c.run("own", [&, x](const Launch& l) {
      fake::launch(l.stream(), 0.05, [p = l.ptr(x), n = bench.n] {
        for (std::int64_t i = 0; i < n; ++i) p[i] += 1;
      });
    });
    c.expect(
        x,
        [](Rows rows, double* out, const float* in) {
          for (std::int64_t i = rows.first; i < rows.last; ++i) *out++ = 1.0 + in[i];
        },
        same_rows(x));
  };
  const Result r = bench.run();
  EXPECT_EQ(r.verdict, Verdict::ok) << r.message;
  EXPECT_EQ(r.capture, Capture::clean) << r.capture_reason;
}

TEST(GraphTiming, ResetsAreTimedAloneAndSubtracted) {
  Bench bench;
  bench.options.cache = CacheChoice::warm;
  bench.define = [&](Case& c) {
    const auto y = c.out<float>({bench.n});
    c.reset(y);  // a memset of 1 us on the fake device
    c.run("own", [&, y](const Launch& l) {
      fake::launch(l.stream(), 0.004, [p = l.ptr(y), n = bench.n] {
        for (std::int64_t i = 0; i < n; ++i) p[i] += 1;
      });
    });
    c.expect(y, [](Rows rows, double* out) {
      for (std::int64_t i = rows.first; i < rows.last; ++i) *out++ = 1;
    });
  };
  const Result r = bench.run();
  ASSERT_EQ(r.verdict, Verdict::ok) << r.message;
  EXPECT_EQ(r.method, Method::graph);
  EXPECT_NEAR(r.metrics.at("latency_us"), 4, 1e-6);
  EXPECT_TRUE(r.untrusted.empty());
  ASSERT_EQ(r.notes.size(), 1u);
  EXPECT_NE(r.notes[0].find("resets"), std::string::npos);
}

TEST(GraphTiming, ResetsAreSubtractedUnderContinuousLoadToo) {
  Bench bench;
  bench.options.cache = CacheChoice::warm;
  bench.options.sustained = SustainedChoice::on;
  bench.define = [&](Case& c) {
    const auto y = c.out<float>({bench.n});
    c.reset(y);  // 1 us
    c.run("own", [&, y](const Launch& l) {
      fake::launch(l.stream(), 0.004, [p = l.ptr(y), n = bench.n] {
        for (std::int64_t i = 0; i < n; ++i) p[i] += 1;
      });
    });
  };
  EXPECT_NEAR(bench.run().metrics.at("sustained_us"), 4, 1e-6);
}

TEST(GraphTiming, ShortReplaysDoNotWaitForTheirLaunch) {
  Bench bench;
  bench.kernel_ms = 0.5;
  bench.device.enqueue_ms = 0.1;
  bench.options.cache = CacheChoice::warm;
  const Result r = bench.run();
  EXPECT_EQ(r.n_repeat, 4);
  EXPECT_NEAR(r.metrics.at("latency_us"), 500, 1e-6);
}

TEST(GraphTiming, LongReplaysDoNotRunAhead) {
  Bench bench;
  bench.kernel_ms = 30;
  bench.options.cache = CacheChoice::warm;
  const Result r = bench.run();
  ASSERT_EQ(r.verdict, Verdict::ok) << r.message;
  EXPECT_NEAR(r.metrics.at("latency_us"), 30e3, 3);  // each with its launch
  // One call, two of the probe, the untimed one and the samples: none is enqueued for nothing.
  EXPECT_EQ(bench.device.calls["launch"], 4 + static_cast<int>(r.samples_ms.size()));
}

TEST(GraphTiming, ResetsAboveHalfOfTheTotalMakeItUntrusted) {
  Bench bench;
  bench.options.cache = CacheChoice::warm;
  bench.define = [&](Case& c) {
    const auto y = c.out<float>({bench.n});
    c.reset([&, y](const Launch& l) {
      fake::launch(l.stream(), 0.005, [p = l.ptr(y), n = bench.n] { std::fill_n(p, n, 0.0f); });
    });
    c.run("own", [&, y](const Launch& l) {
      fake::launch(l.stream(), 0.004, [p = l.ptr(y), n = bench.n] { std::fill_n(p, n, 1.0f); });
    });
  };
  const Result r = bench.run();
  ASSERT_EQ(r.verdict, Verdict::ok) << r.message;
  ASSERT_EQ(r.untrusted.size(), 1u);
  EXPECT_NE(r.untrusted[0].find("resets"), std::string::npos);
}

TEST(GraphTiming, ATimerThatShowsNoTimeOrRunsAheadIsUntimeable) {
  for (double scale : {0.0, -1.0, 1.1, 3.0}) {
    Bench bench;
    bench.device.timer_scale = scale;
    const Result r = bench.run();
    EXPECT_EQ(r.verdict, Verdict::untimeable) << scale;
    EXPECT_FALSE(r.has_latency());
    EXPECT_TRUE(bench.progress.markers.empty()) << "no fallback: direct uses the same timer";
  }
}

TEST(GraphTiming, ReportsTheRateAndTheShareOfThePeak) {
  Bench bench;
  bench.kernel_ms = 0.001;
  bench.device.enqueue_ms = 0;
  bench.n = 1 << 15;  // 256 KiB a call
  const Result r = bench.run();
  const double rate = 2.0 * 4 * (1 << 15) / 1e-6 / 1e9;
  EXPECT_NEAR(r.metrics.at("bandwidth_GBps"), rate, 1e-6 * rate);
  EXPECT_NEAR(r.metrics.at("peak_pct"), rate / 10, 1e-5);
}

TEST(ReferenceSchedule, RepeatsAHundredMillisecondsTenTimesAndReturnsTheMean) {
  Bench bench;
  bench.kernel_ms = 0.1999;
  bench.device.enqueue_ms = 0;
  bench.options.schedule = ScheduleKind::reference;
  const Result r = bench.run();
  ASSERT_EQ(r.verdict, Verdict::ok);
  EXPECT_EQ(r.n_repeat, 500);
  EXPECT_EQ(r.samples_ms.size(), 10u);
  EXPECT_EQ(r.statistic, "mean");
  EXPECT_EQ(r.cache, Cache::warm);
  EXPECT_EQ(r.schedule, "reference");
  EXPECT_NEAR(r.metrics.at("latency_us"), 199.9, 1e-6);
}

TEST(ReferenceSchedule, TheNodeCapIsRecordedWhereItBites) {
  Bench bench;
  bench.kernel_ms = 0.001;
  bench.device.enqueue_ms = 0;
  bench.options.schedule = ScheduleKind::reference;
  const Result r = bench.run();
  EXPECT_EQ(r.n_repeat, 10000);
  ASSERT_EQ(r.notes.size(), 1u);
  EXPECT_NE(r.notes[0].find("cut to 10000"), std::string::npos) << r.notes[0];
}

TEST(ReferenceSchedule, TakesModeAndQuantilesFromTheOptions) {
  Bench bench;
  bench.options.schedule = ScheduleKind::reference;
  bench.options.return_mode = ReturnMode::max;
  bench.options.quantiles = std::vector<double>{0.2, 0.8};
  bench.device.noise_sigma = 0.05;
  const Result r = bench.run();
  EXPECT_EQ(r.statistic, "max");
  EXPECT_EQ(r.metrics.count("latency_q20_us"), 1u);
  EXPECT_LT(r.metrics.at("latency_q20_us"), r.metrics.at("latency_q80_us"));
  EXPECT_GE(r.metrics.at("latency_us"), r.metrics.at("latency_q80_us"));
}

TEST(SustainedWindow, IsMeasuredWhereTheBurstRateIsOverHalfOfThePeak) {
  for (const double share : {0.4, 0.6}) {
    Bench bench;
    bench.kernel_ms = 0.1;
    bench.options.cache = CacheChoice::warm;
    bench.define = [&](Case& c) {
      bench.define_twice(c);
      c.flops(share * 100e12 * 0.1e-3);  // the fake's peak is 100 TFLOP/s
    };
    const Result r = bench.run();
    ASSERT_EQ(r.verdict, Verdict::ok);
    EXPECT_EQ(r.metrics.count("sustained_us"), share > 0.5 ? 1u : 0u);
  }
}

TEST(SustainedWindow, CanBeAskedForAndTurnedOff) {
  Bench bench;
  bench.options.sustained = SustainedChoice::on;
  bench.options.cache = CacheChoice::warm;
  bench.device.enqueue_ms = 0;
  EXPECT_NEAR(bench.run().metrics.at("sustained_us"), 50, 1e-6);
  Bench off;
  off.options.sustained = SustainedChoice::off;
  off.options.cache = CacheChoice::warm;
  off.define = [&](Case& c) {
    off.define_twice(c);
    c.flops(1e12);
  };
  EXPECT_EQ(off.run().metrics.count("sustained_us"), 0u);
}

TEST(GraphTiming, IsRepeatableForOneSeed) {
  const auto latency = [](std::uint64_t seed) {
    Bench bench;
    bench.device.noise_sigma = 0.02;
    bench.device.seed_noise(seed);
    return bench.run().metrics.at("latency_us");
  };
  EXPECT_EQ(latency(5), latency(5));
  EXPECT_NE(latency(5), latency(6));
}

}  // namespace
}  // namespace zl::test
