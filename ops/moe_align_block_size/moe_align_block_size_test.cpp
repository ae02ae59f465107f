#include <gtest/gtest.h>

#include <map>

#include "shared/op_run.hpp"

namespace ops {
namespace {

constexpr std::size_t topk_ids = 0, sorted_ids = 1, expert_ids = 2, padded = 3;

TEST(MoeAlignBlockSize, AgreesWithTheReferenceForEverySkewAndShape) {
  for (std::int64_t skew : {0, 1, 2}) {
    // tokens, experts, k, block, skew
    expect_right({{1, 1, 1, 1, skew}, {3, 8, 2, 16, skew}, {100, 17, 3, 5, skew}});
    expect_right({{1032, 512, 10, 64, skew}, {5000, 64, 6, 128, skew}, {33, 1024, 8, 3, skew}});
  }
}

TEST(MoeAlignBlockSize, AgreesWhereOneChunkEnds) {
  expect_right({{2048, 4, 1, 32, 0}, {2047, 4, 1, 32, 0}, {2049, 4, 1, 32, 0}, {256, 4, 1, 1, 0}});
}

TEST(MoeAlignBlockSize, AgreesForManyChunks) { expect_right({{70000, 256, 8, 64, 1}}); }

TEST(MoeAlignBlockSize, IsAllPaddingForNoTokens) {
  OpRun run("i32", {0, 4, 2, 8, 0});
  ASSERT_EQ(run.check("own"), "");
  EXPECT_EQ(run.get(padded, 0), 0);
  EXPECT_EQ(run.get(sorted_ids, 27), 0);
}

TEST(MoeAlignBlockSize, GivesTheKnownAnswer) {
  OpRun run("i32", {3, 4, 2, 4, 0});
  const int ids[] = {2, 0, 2, 3, 3, 2};
  for (int i = 0; i < 6; ++i) run.set(topk_ids, i, ids[i]);
  ASSERT_EQ(run.check("own"), "");
  const int sorted[] = {1, 6, 6, 6, 0, 2, 5, 6, 3, 4, 6, 6, 6, 6, 6, 6, 6, 6};
  for (int i = 0; i < 18; ++i) EXPECT_EQ(run.get(sorted_ids, i), sorted[i]) << i;
  const int experts[] = {0, 2, 3, 0, 0};
  for (int i = 0; i < 5; ++i) EXPECT_EQ(run.get(expert_ids, i), experts[i]) << i;
  EXPECT_EQ(run.get(padded, 0), 12);
}

TEST(MoeAlignBlockSize, RoutesAsTheSkewSays) {
  const auto share_of_first = [](std::int64_t skew) {
    const OpRun run("i32", {4000, 64, 4, 16, skew});
    std::map<double, int> count;
    for (std::int64_t i = 0; i < 16000; ++i) ++count[run.get(topk_ids, i)];
    for (std::int64_t t = 0; t < 4000; ++t) {  // four different ones a token
      EXPECT_NE(run.get(topk_ids, 4 * t), run.get(topk_ids, 4 * t + 3));
    }
    return count[0] / 4000.0;
  };
  EXPECT_NEAR(share_of_first(0), 4.0 / 64, 0.02);
  EXPECT_GT(share_of_first(1), 0.5);
  EXPECT_EQ(share_of_first(2), 1);
}

TEST(MoeAlignBlockSize, WhatItCannotDoIsAUsageError) {
  EXPECT_THROW(OpRun("i32", {4, 1025, 2, 16, 0}), zl::Error);
  EXPECT_THROW(OpRun("i32", {4, 8, 2, 0, 0}), zl::Error);
  EXPECT_THROW(OpRun("i32", {4, 8, 9, 16, 0}), zl::Error);
  EXPECT_THROW(OpRun("i32", {4, 8, 2, 16, 3}), zl::Error);
}

}  // namespace
}  // namespace ops
