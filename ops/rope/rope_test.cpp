#include <gtest/gtest.h>

#include <cmath>

#include "shared/op_run.hpp"

namespace ops {
namespace {

constexpr std::size_t x = 0, cosine = 1, sine = 2;

TEST(Rope, AgreesWithTheReferenceForEveryTypeAndShape) {
  // tokens, heads, dim
  expect_right({{1, 1, 2}, {5, 1, 6}, {3, 7, 10}, {4, 2, 64}, {9, 33, 16}, {17, 32, 128}});
  expect_right({{2, 3, 80}, {2, 1, 2050}, {1, 2, 9000}, {1, 600, 8}});
}

TEST(Rope, DoesNothingForNoElements) { expect_right({{0, 2, 8}, {3, 0, 8}, {3, 2, 0}}); }

TEST(Rope, RotatesTheHalvesOfAHeadAgainstEachOther) {
  for (const std::string& types : all_types()) {
    OpRun run(types, {2, 2, 32});
    for (std::int64_t i = 0; i < 16; ++i) {  // token 1, by a quarter turn
      run.set(cosine, 16 + i, 0);
      run.set(sine, 16 + i, 1);
    }
    const double first = run.get(x, 96 + 5), second = run.get(x, 96 + 16 + 5);
    EXPECT_EQ(run.check("own"), "") << types;
    EXPECT_EQ(run.get(x, 96 + 5), -second);
    EXPECT_EQ(run.get(x, 96 + 16 + 5), first);
  }
}

TEST(Rope, LeavesWhatIsTurnedByNoAngleAsItIs) {
  OpRun run("f16", {1, 4, 64});
  for (std::int64_t i = 0; i < 32; ++i) {
    run.set(cosine, i, 1);
    run.set(sine, i, 0);
  }
  const double before = run.get(x, 70);
  EXPECT_EQ(run.check("own"), "");
  EXPECT_EQ(run.get(x, 70), before);
}

TEST(Rope, KeepsNanWithinItsPair) {
  for (const std::string& types : all_types()) {
    OpRun run(types, {2, 1, 64});
    run.set(x, 64 + 3, NAN);
    EXPECT_EQ(run.check("own"), "") << types;
    EXPECT_TRUE(std::isnan(run.get(x, 64 + 3)));
    EXPECT_TRUE(std::isnan(run.get(x, 64 + 32 + 3)));
    EXPECT_TRUE(std::isfinite(run.get(x, 64 + 4)));
  }
}

// A benchmark calls it again and again on the same operands.
TEST(Rope, KeepsLengthsOverManyCalls) {
  for (const std::string& types : all_types()) {
    OpRun run(types, {4, 1, 16});
    ASSERT_EQ(run.call("own", 50000), "");
    double squares = 0;
    for (std::int64_t i = 0; i < 64; ++i) squares += run.get(x, i) * run.get(x, i);
    EXPECT_GT(squares, 1) << types;
    EXPECT_LT(squares, 6400) << types;
  }
}

}  // namespace
}  // namespace ops
