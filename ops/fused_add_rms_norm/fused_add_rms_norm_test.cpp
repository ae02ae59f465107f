#include <gtest/gtest.h>

#include <cmath>

#include "shared/op_run.hpp"

namespace ops {
namespace {

constexpr std::size_t x = 0, residual = 1;

TEST(FusedAddRmsNorm, AgreesWithTheReferenceForEveryTypeAndShape) {
  expect_right({{1, 1}, {4, 1}, {1, 7}, {3, 33}, {2, 256}, {5, 1000}, {2, 4096}});
}

TEST(FusedAddRmsNorm, AgreesOnRowsLongerThanABlockHolds) {
  expect_right({{2, 8192}, {2, 8193}, {1, 20000}});
}

TEST(FusedAddRmsNorm, DoesNothingForNoElements) { expect_right({{0, 8}, {3, 0}}); }

TEST(FusedAddRmsNorm, IsFiniteForRowsOfZeros) {
  for (const std::string& types : all_types()) {
    OpRun run(types, {2, 40});
    for (std::int64_t j = 0; j < 40; ++j) {
      run.set(x, j, 0);
      run.set(residual, j, 0);
    }
    EXPECT_EQ(run.check("own"), "") << types;
    EXPECT_EQ(run.get(x, 3), 0);
  }
}

TEST(FusedAddRmsNorm, KeepsNanWithinItsRow) {
  for (const std::string& types : all_types()) {
    OpRun run(types, {3, 40});
    run.set(x, 40 + 5, NAN);
    EXPECT_EQ(run.check("own"), "") << types;
    EXPECT_TRUE(std::isnan(run.get(x, 40)));
    EXPECT_FALSE(std::isnan(run.get(x, 39)));
    EXPECT_FALSE(std::isnan(run.get(residual, 40)));
  }
}

// A benchmark calls it again and again on the same operands.
TEST(FusedAddRmsNorm, StaysFiniteOverManyCalls) {
  for (const std::string& types : all_types()) {
    OpRun run(types, {1, 64});
    ASSERT_EQ(run.call("own", 50000), "");
    for (std::int64_t j = 0; j < 64; ++j) {
      EXPECT_TRUE(std::isfinite(run.get(x, j))) << types;
      EXPECT_TRUE(std::isfinite(run.get(residual, j))) << types;
    }
  }
}

}  // namespace
}  // namespace ops
