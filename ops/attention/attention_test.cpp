#include <gtest/gtest.h>

#include <cmath>

#include "shared/op_run.hpp"

namespace ops {
namespace {

constexpr std::size_t q = 0, k = 1, v = 2, y = 3;

TEST(Attention, AgreesWithTheReferenceForEveryTypeAndShape) {
  // batch, heads, seq, dim, causal
  expect_right({{1, 1, 1, 64, 0}, {1, 2, 5, 64, 1}, {2, 1, 64, 64, 0}, {2, 2, 65, 64, 1}});
  expect_right({{1, 1, 1, 128, 1}, {1, 1, 63, 128, 0}, {2, 2, 128, 128, 1}, {1, 1, 128, 128, 0}});
}

TEST(Attention, AgreesPastTheEdgesOfItsTiles) {
  expect_right({{1, 1, 129, 128, 1}, {1, 2, 129, 128, 0}, {1, 1, 300, 128, 1}, {1, 1, 257, 64, 0}});
}

TEST(Attention, TakesOtherDims) {
  expect_right({{1, 2, 33, 40, 1}, {1, 1, 7, 1, 0}, {1, 3, 70, 72, 0}, {1, 1, 40, 256, 1}});
}

TEST(Attention, DoesNothingForNoElements) {
  expect_right({{0, 2, 8, 64, 0}, {2, 0, 8, 64, 1}, {2, 2, 0, 64, 0}, {1, 1, 4, 0, 0}});
}

TEST(Attention, IsNanWhereAScoreIs) {
  for (const std::string& types : all_types()) {
    for (const std::int64_t dim : {64, 128, 48}) {
      OpRun run(types, {2, 1, 70, dim, 0});
      run.set(q, 3 * dim + 1, NAN);     // query 3 of the first head
      run.set(k, (70 + 9) * dim, NAN);  // every query of the second
      EXPECT_EQ(run.check("own"), "") << types << " " << dim;
      EXPECT_TRUE(std::isnan(run.get(y, 3 * dim)));
      EXPECT_FALSE(std::isnan(run.get(y, 4 * dim)));
      EXPECT_TRUE(std::isnan(run.get(y, (70 + 69) * dim)));
    }
  }
}

TEST(Attention, DoesNotSeeLaterKeys) {
  for (const std::string& types : all_types()) {
    for (const std::int64_t dim : {64, 128, 48}) {
      OpRun run(types, {1, 1, 150, dim, 1});
      run.set(k, 80 * dim, NAN);
      EXPECT_EQ(run.check("own"), "") << types << " " << dim;
      EXPECT_FALSE(std::isnan(run.get(y, 79 * dim)));
      EXPECT_TRUE(std::isnan(run.get(y, 80 * dim)));
    }
  }
}

TEST(Attention, CarriesAnInfinityOfVIntoItsColumn) {
  for (const std::string& types : all_types()) {
    OpRun run(types, {1, 1, 70, 64, 0});
    // Equal weights: a weight that is 0 in the type of P would make it NaN.
    for (std::int64_t i = 0; i < 70 * 64; ++i) run.set(q, i, 0);
    run.set(v, 69 * 64 + 5, INFINITY);
    EXPECT_EQ(run.check("own"), "") << types;
    EXPECT_TRUE(std::isinf(run.get(y, 5)));
    EXPECT_FALSE(std::isinf(run.get(y, 6)));
  }
}

TEST(Attention, DoesNotOverflowForLargeScores) {
  for (const std::string& types : all_types()) {
    OpRun run(types, {1, 1, 100, 64, 0});
    for (std::int64_t i = 0; i < 100 * 64; ++i) {
      run.set(q, i, 64);
      run.set(k, i, 8.0 * static_cast<double>(i / 64 % 3) - 8);
    }
    EXPECT_EQ(run.check("own"), "") << types;
  }
}

TEST(Attention, RefusesALongerDim) { EXPECT_THROW(OpRun("bf16", {1, 1, 2, 257, 0}), zl::Error); }

}  // namespace
}  // namespace ops
