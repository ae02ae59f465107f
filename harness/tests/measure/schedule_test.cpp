#include "measure/schedule.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace zl {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double inf = std::numeric_limits<double>::infinity();

TEST(WarmupCalls, AreTheBudgetOverOneCallBetweenFiveAndTheCap) {
  EXPECT_EQ(warmup_calls(1, 25, 200), 25);
  EXPECT_EQ(warmup_calls(0.3, 25, 200), 83);  // truncated, not rounded
  EXPECT_EQ(warmup_calls(0.01, 25, 200), 200);
  EXPECT_EQ(warmup_calls(100, 25, 200), 5);
  EXPECT_EQ(warmup_calls(0.01, 25, 1000), 1000);
  EXPECT_EQ(warmup_calls(1e-300, 25, 200), 200);
}

TEST(WarmupCalls, AZeroOrNegativeBudgetMeans25Milliseconds) {
  EXPECT_EQ(warmup_calls(1, 0, 200), 25);
  EXPECT_EQ(warmup_calls(1, -3, 200), 25);
}

TEST(WarmupCalls, ACallOfNoTimeMeans25Calls) {
  EXPECT_EQ(warmup_calls(0, 25, 200), 25);
  EXPECT_EQ(warmup_calls(-1, 25, 200), 25);
}

TEST(ReferenceRepeat, IsTheReplayLengthOverTheEstimate) {
  EXPECT_EQ(reference_repeat(0.3, 100), 333);
  EXPECT_EQ(reference_repeat(250, 100), 1);  // an estimate above the replay's length
  EXPECT_EQ(reference_repeat(100, 100), 1);
}

TEST(ReferenceRepeat, AnUnusableEstimateGives1000) {
  for (double estimate : {0.0, -1.0, nan, inf, -inf}) {
    EXPECT_EQ(reference_repeat(estimate, 100), 1000) << estimate;
  }
}

TEST(ReferenceDirectCounts, FollowTheEstimateAndFallBackToOneAnd1000) {
  EXPECT_EQ(reference_direct_counts(0.5, 25, 100).warmup, 50);
  EXPECT_EQ(reference_direct_counts(0.5, 25, 100).repeat, 200);
  EXPECT_EQ(reference_direct_counts(500, 25, 100).warmup, 1);
  EXPECT_EQ(reference_direct_counts(500, 25, 100).repeat, 1);
  for (double estimate : {0.0, -1.0, nan, inf}) {
    EXPECT_EQ(reference_direct_counts(estimate, 25, 100).warmup, 1);
    EXPECT_EQ(reference_direct_counts(estimate, 25, 100).repeat, 1000);
  }
}

TEST(AdaptiveRepeat, AimsAtTwoMillisecondsInWholeRotations) {
  EXPECT_EQ(adaptive_repeat(0.01, 1, 1, 10000), 200);
  EXPECT_EQ(adaptive_repeat(0.01, 7, 1, 10000), 203);
  EXPECT_EQ(adaptive_repeat(5, 1, 1, 10000), 1);
  EXPECT_EQ(adaptive_repeat(5, 12, 1, 10000), 12);  // one replay touches every copy
}

TEST(AdaptiveRepeat, StaysWithinTheNodeCap) {
  EXPECT_EQ(adaptive_repeat(1e-6, 1, 1, 10000), 10000);
  EXPECT_EQ(adaptive_repeat(1e-6, 1, 3, 10000), 3333);
  EXPECT_EQ(adaptive_repeat(1e-6, 7, 3, 10000), 3332);
  EXPECT_EQ(adaptive_repeat(0.01, 6000, 2, 10000), 0);  // no whole rotation fits
}

TEST(AdaptiveRepeat, AnUnusableEstimateGives1000) {
  for (double estimate : {0.0, -1.0, nan, inf}) {
    EXPECT_EQ(adaptive_repeat(estimate, 1, 1, 10000), 1000) << estimate;
  }
}

class RotationTest : public ::testing::Test {
 protected:
  RotationTest() : c({"op", "f32", {}, {}}) {
    info.l2_bytes = 1 << 20;
    info.cold_node_cap = 20000;
  }
  Rotation choose(CacheChoice choice, ScheduleKind schedule = ScheduleKind::adaptive) {
    return choose_rotation(c, choice, schedule, info, memory);
  }
  Case c;
  DeviceInfo info;
  MemoryInfo memory{std::size_t{8} << 30, std::size_t{8} << 30};
};

TEST_F(RotationTest, TouchesFourTimesTheCache) {
  c.in<float>({1 << 14}, normal());  // 64 KiB
  c.out<float>({1 << 14});
  const Rotation r = choose(CacheChoice::cold);
  EXPECT_EQ(r.cache, Cache::cold);
  EXPECT_EQ(r.copies, 32);  // 4 MiB / 128 KiB
}

TEST_F(RotationTest, ATinyOpTakesThousandsOfCopies) {
  c.in<float>({64}, normal());
  c.out<float>({64});
  EXPECT_EQ(choose(CacheChoice::cold).copies, 8192);
}

TEST_F(RotationTest, BeyondTheNodeCapItIsWarmAndSaysWhy) {
  c.in<float>({1}, normal());
  c.out<float>({1});
  const Rotation r = choose(CacheChoice::cold);
  EXPECT_EQ(r.cache, Cache::warm);
  EXPECT_EQ(r.copies, 1);
  EXPECT_NE(r.why_not.find("20000"), std::string::npos) << r.why_not;
}

TEST_F(RotationTest, AGatherCountsTheBytesItTouches) {
  c.in<float>({1 << 20}, normal());  // a table of 4 MiB
  c.out<float>({1 << 10});
  c.bytes(8192);
  // 512 copies of a little over 4 MiB are within a quarter of 16 GiB.
  memory = {std::size_t{16} << 30, std::size_t{16} << 30};
  EXPECT_EQ(choose(CacheChoice::cold).copies, 512);
  memory.total_bytes = std::size_t{4} << 30;
  const Rotation r = choose(CacheChoice::cold);
  EXPECT_EQ(r.cache, Cache::warm);
  EXPECT_NE(r.why_not.find("quarter"), std::string::npos) << r.why_not;
}

TEST_F(RotationTest, DeclaredBytesAboveTheOperandsDoNotShortenIt) {
  c.in<float>({1 << 14}, normal());
  c.bytes(1e9);
  EXPECT_EQ(choose(CacheChoice::cold).copies, 64);
}

TEST_F(RotationTest, MixedRotatesOnlyWhatIsNotWarm) {
  c.in<float>({1 << 14}, normal()).warm();
  c.in<float>({1 << 14}, normal());
  const Rotation r = choose(CacheChoice::automatic);
  EXPECT_EQ(r.cache, Cache::mixed);
  EXPECT_EQ(r.copies, 64);
  EXPECT_FALSE(r.rotated[0]);
  EXPECT_TRUE(r.rotated[1]);
  const Rotation cold = choose(CacheChoice::cold);
  EXPECT_EQ(cold.cache, Cache::cold);
  EXPECT_TRUE(cold.rotated[0]);
  EXPECT_EQ(cold.copies, 32);
}

TEST_F(RotationTest, ScratchIsNeverRotated) {
  c.in<float>({1 << 14}, normal());
  c.scratch(1 << 30);
  const Rotation r = choose(CacheChoice::cold);
  EXPECT_EQ(r.copies, 64);
  EXPECT_FALSE(r.rotated[1]);
}

TEST_F(RotationTest, LargeOperandsNeedOneCopy) {
  c.in<float>({1 << 20}, normal());
  const Rotation r = choose(CacheChoice::cold);
  EXPECT_EQ(r.copies, 1);
  EXPECT_EQ(r.cache, Cache::cold);
}

TEST_F(RotationTest, TheReferenceScheduleIsWarmUnlessAsked) {
  c.in<float>({1 << 14}, normal());
  EXPECT_EQ(choose(CacheChoice::automatic, ScheduleKind::reference).cache, Cache::warm);
  EXPECT_EQ(choose(CacheChoice::cold, ScheduleKind::reference).cache, Cache::cold);
}

TEST_F(RotationTest, AnOpThatTouchesNothingIsWarm) {
  EXPECT_EQ(choose(CacheChoice::cold).cache, Cache::warm);
}

}  // namespace
}  // namespace zl
