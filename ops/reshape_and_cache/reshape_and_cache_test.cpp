#include <gtest/gtest.h>

#include <cmath>

#include "shared/op_run.hpp"

namespace ops {
namespace {

constexpr std::size_t key = 0, value = 1, key_cache = 2, value_cache = 3, slots = 4;

TEST(ReshapeAndCache, StoresItsTokensForEveryTypeAndShape) {
  // tokens, heads, dim, block
  expect_right({{1, 1, 8, 1}, {3, 1, 8, 16}, {5, 3, 24, 7}, {42, 8, 128, 16}, {33, 2, 64, 32}});
  expect_right({{2, 70, 128, 3}, {300, 1, 16, 16}});
}

TEST(ReshapeAndCache, DoesNothingForNoTokensOrElements) {
  expect_right({{0, 2, 16, 16}, {5, 0, 16, 16}, {5, 2, 0, 16}});
}

TEST(ReshapeAndCache, PutsAnElementWhereTheLayoutSays) {
  OpRun run("bf16", {2, 3, 16, 4});  // caches of two blocks
  run.set(slots, 0, 6);
  run.set(slots, 1, 1);
  run.set(key, 1 * 16 + 11, 123);            // token 0, head 1, element 11
  run.set(value, 3 * 16 + 2 * 16 + 5, 321);  // token 1, head 2, element 5
  ASSERT_EQ(run.check("own"), "");
  // key_cache[1][1][1][2][3] and value_cache[0][2][5][1]
  EXPECT_EQ(run.get(key_cache, (((1 * 3 + 1) * 2 + 1) * 4 + 2) * 8 + 3), 123);
  EXPECT_EQ(run.get(value_cache, (2 * 16 + 5) * 4 + 1), 320);  // 321 is no bf16
}

TEST(ReshapeAndCache, SkipsPadding) {
  for (const std::string& types : all_types()) {
    OpRun run(types, {4, 2, 16, 4});
    run.set(slots, 1, -1);
    run.set(slots, 3, -1);
    EXPECT_EQ(run.check("own"), "") << types;
  }
}

TEST(ReshapeAndCache, KeepsInfinityAndNan) {
  for (const std::string& types : all_types()) {
    OpRun run(types, {1, 1, 8, 2});
    run.set(slots, 0, 1);
    run.set(key, 3, INFINITY);
    run.set(value, 4, NAN);
    EXPECT_EQ(run.check("own"), "") << types;
    EXPECT_EQ(run.get(key_cache, 8 + 3), INFINITY);
    EXPECT_TRUE(std::isnan(run.get(value_cache, 4 * 2 + 1)));
  }
}

TEST(ReshapeAndCache, CountsWhatItStoresNotTheCaches) {
  EXPECT_EQ(OpRun("f16", {10, 2, 8, 16}).definition().traffic_bytes(), 4 * 10 * 2 * 8 * 2 + 10 * 8);
}

TEST(ReshapeAndCache, ADimWithoutWholeVectorsIsAUsageError) {
  EXPECT_THROW(OpRun("f16", {1, 1, 12, 16}), zl::Error);
}

}  // namespace
}  // namespace ops
