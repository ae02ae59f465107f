#include <gtest/gtest.h>

#include <cmath>

#include "shared/op_run.hpp"

namespace ops {
namespace {

constexpr std::size_t logits = 0, weights = 1, ids = 2;

TEST(TopkSoftmax, AgreesWithTheReferenceForEveryTypeAndShape) {
  // tokens, experts, k
  expect_right({{1, 1, 1}, {3, 2, 1}, {5, 7, 7}, {256, 128, 16}, {33, 256, 8}, {9, 64, 33}});
  expect_right({{7, 200, 5}, {2, 320, 6}, {3, 512, 10}, {4, 129, 4}, {2, 511, 70}, {5, 8, 2}});
}

TEST(TopkSoftmax, AgreesForMoreExpertsThanAWarpHolds) {
  expect_right({{3, 513, 8}, {2, 1024, 40}, {2, 3000, 1}});
}

TEST(TopkSoftmax, DoesNothingForNoTokensOrNoChoice) { expect_right({{0, 8, 2}, {3, 8, 0}}); }

TEST(TopkSoftmax, OfEqualLogitsTakesTheFirstExperts) {
  for (const std::string& types : all_types()) {
    for (std::int64_t experts : {256, 250, 600}) {
      OpRun run(types, {2, experts, 5});
      for (std::int64_t e = 0; e < experts; ++e) run.set(logits, e, e == 77 ? 2 : 1);
      ASSERT_EQ(run.check("own"), "") << types << experts;
      EXPECT_EQ(run.get(ids, 0), 77);
      for (std::int64_t j = 1; j < 5; ++j) EXPECT_EQ(run.get(ids, j), static_cast<double>(j - 1));
    }
  }
}

TEST(TopkSoftmax, AnExpertOfMinusInfinityHasNoWeight) {
  for (const std::string& types : all_types()) {
    OpRun run(types, {1, 64, 3});
    for (std::int64_t e = 0; e < 64; ++e) run.set(logits, e, -INFINITY);
    run.set(logits, 9, -3);
    ASSERT_EQ(run.check("own"), "") << types;
    EXPECT_EQ(run.get(ids, 0), 9);
    EXPECT_EQ(run.get(weights, 0), 1);
    EXPECT_EQ(run.get(ids, 2), 1);
    EXPECT_EQ(run.get(weights, 2), 0);
  }
}

TEST(TopkSoftmax, LargeLogitsDoNotOverflow) {
  for (const std::string& types : all_types()) {
    OpRun run(types, {1, 32, 4});
    run.set(logits, 5, 1e30);
    run.set(logits, 6, -1e30);
    EXPECT_EQ(run.check("own"), "") << types;
    EXPECT_EQ(run.get(weights, 0), 1);
  }
}

TEST(TopkSoftmax, MoreChoicesThanExpertsAreAUsageError) {
  EXPECT_THROW(OpRun("f32", {1, 4, 5}), zl::Error);
}

}  // namespace
}  // namespace ops
