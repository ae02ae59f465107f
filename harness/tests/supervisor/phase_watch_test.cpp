#include "supervisor/phase_watch.hpp"

#include <gtest/gtest.h>

namespace zl {
namespace {

using Expired = PhaseWatch::Expired;
using Clock = PhaseWatch::Clock;

struct PhaseWatchTest : testing::Test {
  Clock::time_point at(double s) const { return start + seconds(s); }

  Clock::time_point start = Clock::time_point() + std::chrono::hours(1);
  PhaseWatch watch{Limits{100, 10, 30}, start, at(95)};
};

TEST_F(PhaseWatchTest, StartUpHasAPhasesLimit) {
  EXPECT_EQ(watch.check(at(9.9)), Expired::none);
  EXPECT_EQ(watch.check(at(10)), Expired::phase);
  EXPECT_EQ(watch.where(), "start-up");
}

TEST_F(PhaseWatchTest, APhaseAndASignOfLifeStartTheLimitAnew) {
  watch.enter(Phase::warmup, at(8));
  EXPECT_EQ(watch.check(at(17.9)), Expired::none);
  watch.restart(at(17));
  EXPECT_EQ(watch.check(at(26.9)), Expired::none);
  EXPECT_EQ(watch.check(at(27)), Expired::phase);
  EXPECT_EQ(watch.where(), "phase warmup");
}

TEST_F(PhaseWatchTest, WaitingForTheLockHasItsOwnLimitAndEndsWithIt) {
  watch.wait_for_lock(at(1));
  EXPECT_EQ(watch.check(at(30.9)), Expired::none);
  EXPECT_EQ(watch.check(at(31)), Expired::lock);
  watch.lock_taken(at(30));
  EXPECT_EQ(watch.check(at(39.9)), Expired::none);
  EXPECT_EQ(watch.check(at(40)), Expired::phase);
}

TEST_F(PhaseWatchTest, TheCasesEndBoundsEverything) {
  watch.enter(Phase::replay, at(90));
  EXPECT_EQ(watch.deadline(), at(95));
  EXPECT_EQ(watch.check(at(95)), Expired::overall);
  watch.wait_for_lock(at(90));
  EXPECT_EQ(watch.check(at(95)), Expired::lock);
}

TEST_F(PhaseWatchTest, TheCaseEndsALittleBeforeCTestsTimeout) {
  EXPECT_EQ(overall_deadline(start, 300), at(295));
  EXPECT_EQ(overall_deadline(start, 10), at(7.5));
}

}  // namespace
}  // namespace zl
