#include <gtest/gtest.h>

#include <cmath>

#include "shared/op_run.hpp"

namespace ops {
namespace {

TEST(MoeSum, AgreesWithTheReferenceForEveryTypeAndShape) {
  // tokens, k, dim
  expect_right({{1, 1, 1}, {5, 1, 9}, {7, 3, 1}, {10, 2, 64}, {3, 8, 31}, {2, 8, 4096}});
  expect_right({{4, 9, 100}, {300, 5, 24}, {2, 17, 5000}, {1, 2, 20001}});
}

TEST(MoeSum, DoesNothingForNoTokens) { expect_right({{0, 8, 16}, {5, 3, 0}}); }

TEST(MoeSum, IsZeroForNoExperts) { expect_right({{5, 0, 24}}); }

TEST(MoeSum, KeepsInfinityAndNanInTheirElements) {
  for (const std::string& types : all_types()) {
    OpRun run(types, {2, 4, 40});
    run.set(0, 40 + 3, INFINITY);
    run.set(0, 7, INFINITY);
    run.set(0, 80 + 7, -INFINITY);
    run.set(0, 160 + 39, NAN);
    EXPECT_EQ(run.check("own"), "") << types;
    EXPECT_EQ(run.get(1, 3), INFINITY);
    EXPECT_TRUE(std::isnan(run.get(1, 7)));
    EXPECT_TRUE(std::isnan(run.get(1, 40 + 39)));
    EXPECT_TRUE(std::isfinite(run.get(1, 40 + 38)));
  }
}

TEST(MoeSum, OverflowsOnlyWhenItIsRounded) {
  OpRun run("f16", {1, 4, 8});
  const double values[] = {60000, 60000, -60000, -30000};
  for (std::int64_t e = 0; e < 4; ++e) run.set(0, e * 8 + 2, values[e]);
  EXPECT_EQ(run.check("own"), "");
  EXPECT_EQ(run.get(1, 2), run.get(0, 2) / 2);
}

}  // namespace
}  // namespace ops
