#include <gtest/gtest.h>

#include <cmath>

#include "shared/op_run.hpp"

namespace ops {
namespace {

constexpr std::size_t x = 0, target = 1, loss = 2;

TEST(CrossEntropy, AgreesWithTheReferenceForEveryTypeAndShape) {
  expect_right({{1, 1}, {5, 1}, {1, 7}, {3, 33}, {9, 1000}, {2, 8200}, {3, 32000}, {2, 50001}});
}

TEST(CrossEntropy, AgreesOnManyRows) { expect_right({{300, 10}, {265, 2051}}); }

TEST(CrossEntropy, DoesNothingForNoRows) { expect_right({{0, 5}}); }

TEST(CrossEntropy, ReadsTheFirstAndTheLastClass) {
  OpRun run("f32", {2, 100});
  run.set(target, 0, 0);
  run.set(target, 1, 99);
  run.set(x, 0, 50);
  run.set(x, 199, 50);
  EXPECT_EQ(run.check("own"), "");
  EXPECT_NEAR(run.get(loss, 0), 0, 1e-5);
  EXPECT_NEAR(run.get(loss, 1), 0, 1e-5);
}

TEST(CrossEntropy, IsTheLogarithmOfTheClassesWhereAllAreEqual) {
  for (const std::string& types : all_types()) {
    OpRun run(types, {1, 4096});
    for (std::int64_t c = 0; c < 4096; ++c) run.set(x, c, -3);
    EXPECT_EQ(run.check("own"), "") << types;
    EXPECT_NEAR(run.get(loss, 0), std::log(4096.0), 0.02) << types;
  }
}

TEST(CrossEntropy, DoesNotOverflowForLargeLogits) {
  for (const std::string& types : all_types()) {
    OpRun run(types, {1, 100});
    for (std::int64_t c = 0; c < 100; ++c) run.set(x, c, 30000 + 64.0 * static_cast<double>(c % 3));
    EXPECT_EQ(run.check("own"), "") << types;
  }
}

// Rows 0 to 4: some -inf, only -inf, +inf, NaN, the target at -inf; row 5 is ordinary.
TEST(CrossEntropy, DefinesInfinityAndNan) {
  for (const std::string& types : all_types()) {
    for (std::int64_t classes : {9, 40, 30000}) {
      OpRun run(types, {6, classes});
      for (std::int64_t c = 0; c < classes; ++c) {
        if (c % 3 != 0) run.set(x, c, -INFINITY);
        run.set(x, classes + c, -INFINITY);
      }
      run.set(target, 0, 6);
      run.set(x, 2 * classes + classes / 2, INFINITY);
      run.set(x, 4 * classes - 1, NAN);
      run.set(target, 4, 5);
      run.set(x, 4 * classes + 5, -INFINITY);
      EXPECT_EQ(run.check("own"), "") << types << " " << classes;
      EXPECT_TRUE(std::isfinite(run.get(loss, 0)));
      for (std::int64_t r : {1, 2, 3}) EXPECT_TRUE(std::isnan(run.get(loss, r))) << r;
      EXPECT_EQ(run.get(loss, 4), INFINITY);
      EXPECT_TRUE(std::isfinite(run.get(loss, 5)));
    }
  }
}

}  // namespace
}  // namespace ops
