#include <gtest/gtest.h>

#include <cmath>

#include "shared/op_run.hpp"

namespace ops {
namespace {

constexpr std::size_t table = 0, index = 1, y = 2;

TEST(Embedding, CopiesItsRowsForEveryTypeAndShape) {
  // vocab, dim, tokens
  expect_right({{1, 1, 1}, {5, 1, 9}, {7, 3, 1}, {10, 8, 33}, {3, 31, 4}, {50, 4096, 3}});
  expect_right({{4, 5001, 2}, {2, 20000, 5}});
}

TEST(Embedding, DoesNothingForNoTokens) { expect_right({{5, 8, 0}, {5, 0, 3}}); }

TEST(Embedding, ReadsTheFirstAndTheLastRow) {
  OpRun run("f32", {6, 4, 2});
  run.set(index, 0, 5);
  run.set(index, 1, 0);
  run.set(table, 5 * 4, 123);
  run.set(table, 0, 321);
  ASSERT_EQ(run.check("own"), "");
  EXPECT_EQ(run.get(y, 0), 123);
  EXPECT_EQ(run.get(y, 4), 321);
}

TEST(Embedding, KeepsInfinityAndNan) {
  for (const std::string& types : all_types()) {
    OpRun run(types, {1, 16, 3});
    run.set(table, 3, INFINITY);
    run.set(table, 15, NAN);
    EXPECT_EQ(run.check("own"), "") << types;
    EXPECT_EQ(run.get(y, 32 + 3), INFINITY);
    EXPECT_TRUE(std::isnan(run.get(y, 32 + 15)));
  }
}

TEST(Embedding, CountsTheRowsItTouchesNotTheTable) {
  EXPECT_EQ(OpRun("bf16", {1000, 64, 2}).definition().traffic_bytes(), 2 * (2 * 64 * 2 + 8));
  // Three tokens, one row.
  EXPECT_EQ(OpRun("bf16", {1, 64, 3}).definition().traffic_bytes(), (1 + 3) * 64 * 2 + 3 * 8);
}

}  // namespace
}  // namespace ops
