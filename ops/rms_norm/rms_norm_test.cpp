#include <gtest/gtest.h>

#include <cmath>

#include "shared/op_run.hpp"

namespace ops {
namespace {

constexpr std::size_t x = 0, weight = 1, y = 2;

TEST(RmsNorm, AgreesWithTheReferenceForEveryTypeAndShape) {
  expect_right({{1, 1}, {4, 1}, {1, 7}, {3, 33}, {2, 256}, {5, 1000}, {1, 4096}});
}

TEST(RmsNorm, AgreesOnFewRowsOfEveryScheme) {
  // On CUDA: a block to 8192, a cluster to 65536, then two reads.
  expect_right({{2, 8192}, {2, 8200}, {2, 8193}, {1, 65536}, {2, 65544}, {1, 70001}});
}

TEST(RmsNorm, AgreesOnManyRowsOfEveryScheme) {
  // On CUDA: 8, 16 and 32 elements a thread, then clusters of 2 and more blocks.
  expect_right({{300, 24}, {264, 2047}, {265, 2056}, {266, 4104}, {264, 8200}});
}

TEST(RmsNorm, DoesNothingForNoElements) { expect_right({{0, 8}, {3, 0}}); }

TEST(RmsNorm, IsFiniteForRowsOfZeros) {
  for (const std::string& types : all_types()) {
    OpRun run(types, {2, 40});
    for (std::int64_t j = 0; j < 40; ++j) run.set(x, j, 0);
    EXPECT_EQ(run.check("own"), "") << types;
    EXPECT_EQ(run.get(y, 3), 0);
  }
}

TEST(RmsNorm, TakesEachColumnsWeight) {
  OpRun run("f32", {3, 50});
  run.set(weight, 17, 1000);
  EXPECT_EQ(run.check("own"), "");
  EXPECT_GT(std::abs(run.get(y, 50 + 17)), 3 * std::abs(run.get(x, 50 + 17)));
}

TEST(RmsNorm, KeepsNanAndInfinityWithinTheirRows) {
  for (const std::string& types : all_types()) {
    for (std::int64_t cols : {40, 9000, 70000}) {
      OpRun run(types, {3, cols});
      run.set(x, cols - 1, NAN);
      run.set(x, cols + 5, INFINITY);
      EXPECT_EQ(run.check("own"), "") << types << " " << cols;
      EXPECT_TRUE(std::isnan(run.get(y, 0)));
      EXPECT_TRUE(std::isnan(run.get(y, cols + 5)));
      EXPECT_EQ(run.get(y, cols), 0);
      EXPECT_TRUE(std::isfinite(run.get(y, 2 * cols)));
    }
  }
}

}  // namespace
}  // namespace ops
