#include "measure/window.hpp"

#include <gtest/gtest.h>

#include "tests/measure/bench.hpp"

namespace zl::test {
namespace {

/// Steps of `ms`, each one sample drawn from a spread.
struct Load {
  fake::FakeDevice device;
  int steps = 0;
  Step step(double ms, double spread) {
    return [this, ms, spread](std::vector<double>& samples) {
      device.spend(ms);
      samples.push_back(ms * (1 + spread * ((steps * 7) % 10 - 4.5)));
      ++steps;
    };
  }
};

TEST(BurstWindow, StopsAfterTenStepsWhereTheMedianIsKnown) {
  Load load;
  const Window w = burst_window(load.device, 1, load.step(2, 0));
  EXPECT_EQ(w.samples_ms.size(), 10u);
  EXPECT_DOUBLE_EQ(w.load_before_ms, 2);
  EXPECT_DOUBLE_EQ(w.load_during_ms, 20);
}

TEST(BurstWindow, StopsAt40MillisecondsOfLoadWhereItIsNot) {
  Load load;
  const Window w = burst_window(load.device, 1, load.step(2, 0.01));
  EXPECT_EQ(w.samples_ms.size(), 19u);  // with the untimed step 40 ms
}

TEST(BurstWindow, HostIsContentWithOnePercent) {
  Load load;
  load.device.fake_info.is_gpu = false;
  EXPECT_EQ(burst_window(load.device, 1, load.step(2, 0.001)).samples_ms.size(), 10u);
  Load gpu;
  EXPECT_GT(burst_window(gpu.device, 1, gpu.step(2, 0.001)).samples_ms.size(), 10u);
}

TEST(BurstWindow, ALongReplayOfShortCallsStillTakesTenSteps) {
  Load load;
  EXPECT_EQ(burst_window(load.device, 10000, load.step(22, 0)).samples_ms.size(), 10u);
}

TEST(BurstWindow, TakesThreeStepsWhereACallIsLong) {
  Load load;
  EXPECT_EQ(burst_window(load.device, 1, load.step(20, 0.01)).samples_ms.size(), 3u);
  Load shorter;
  EXPECT_EQ(burst_window(shorter.device, 1, shorter.step(19, 0.01)).samples_ms.size(), 10u);
}

TEST(BurstWindow, TheBudgetCutsStepsButNeverBelowThree) {
  Load load;
  EXPECT_EQ(burst_window(load.device, 1, load.step(900, 0)).samples_ms.size(), 3u);
  Load hardly;  // ten steps of 19.9 ms fit 250 ms, and the least number is reached first
  EXPECT_EQ(burst_window(hardly.device, 1, hardly.step(19.9, 0)).samples_ms.size(), 10u);
}

TEST(Windows, AClockThatStandsStillEndsThem) {
  Load load;
  EXPECT_EQ(burst_window(load.device, 1, load.step(0, 0)).samples_ms.size(), 10000u);
  EXPECT_LE(sustained_window(load.device, load.step(0, 0)).samples_ms.size(), 10000u);
}

TEST(BurstWindow, BeginsAfterAnIdleGap) {
  Load load;
  double first_step = -1;
  const double start = load.device.wall_ms();
  burst_window(load.device, 1, [&](std::vector<double>& samples) {
    if (first_step < 0) first_step = load.device.wall_ms() - start;
    load.device.spend(5);
    samples.push_back(5);
  });
  EXPECT_DOUBLE_EQ(first_step, 10);
}

TEST(BurstWindow, LoadsTheDeviceNoLongerThanItMay) {
  for (const BurstLimits limits : {BurstLimits{}, power_hungry}) {
    Load load;
    const Window w = burst_window(load.device, 1, load.step(2, 0.05), limits);
    EXPECT_LT(w.load_before_ms + w.load_during_ms, limits.load_ms + 3);
    EXPECT_GE(w.load_before_ms + w.load_during_ms, limits.load_ms);
  }
}

TEST(BurstWindow, OfCallsThatDrawTheFullPowerBeginsAfterALongerGap) {
  for (const double share : {0.2, 0.3}) {
    Bench bench;
    bench.kernel_ms = 0.05;
    bench.options.cache = CacheChoice::warm;
    bench.define = [&](Case& c) {
      bench.define_twice(c);
      c.flops(share * 100e12 * 0.05e-3);  // the fake's peak is 100 TFLOP/s
    };
    const Result r = bench.run();
    const double in_windows = r.load_before_ms + r.load_during_ms;
    EXPECT_EQ(r.measured_ms > 100 + in_windows, share > 0.25) << r.measured_ms;
  }
}

TEST(SustainedWindow, SamplesFrom150To600MillisecondsOfLoad) {
  Load load;
  const Window w = sustained_window(load.device, load.step(10, 0));
  EXPECT_EQ(w.samples_ms.size(), 45u);
  EXPECT_EQ(load.steps, 60);
}

TEST(SustainedWindow, CountsTheLoadOfTheBurstBeforeIt) {
  Load load;
  const Window w = sustained_window(load.device, load.step(10, 0), 40);
  EXPECT_EQ(w.samples_ms.size(), 45u);
  EXPECT_EQ(load.steps, 56);
}

TEST(SustainedWindow, IsEmptyWhereItCannotHoldThreeSamples) {
  Load load;
  EXPECT_TRUE(sustained_window(load.device, load.step(400, 0)).samples_ms.empty());
}

/// A process that loses its processor at every read of the clock, while the device goes on.
struct Preempted : fake::FakeDevice {
  double wall_ms() override {
    reads.push_back(FakeDevice::wall_ms());
    spend(0.5);
    return reads.back();
  }
  std::vector<double> reads;
};

TEST(BurstWindow, ItsLoadHasNoGapWhereTheProcessLostItsProcessor) {
  for (const bool fixed : {false, true}) {
    Preempted device;
    const Step step = [&](std::vector<double>& samples) {
      device.spend(2);
      samples.push_back(2);
    };
    const Window w = fixed ? fixed_window(device, step, 10) : burst_window(device, 1, step);
    EXPECT_DOUBLE_EQ(w.load_ms(), device.reads.back() - device.reads.front());
    EXPECT_GE(w.load_ms(), 22);
  }
}

TEST(FixedWindow, MakesOneUntimedStepAndTheOnesAskedFor) {
  Load load;
  EXPECT_EQ(fixed_window(load.device, load.step(100, 0), 10).samples_ms.size(), 10u);
  EXPECT_EQ(load.steps, 11);
}

}  // namespace
}  // namespace zl::test
