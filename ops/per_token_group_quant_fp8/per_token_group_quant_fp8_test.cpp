#include <gtest/gtest.h>

#include <cmath>

#include "shared/op_run.hpp"

namespace ops {
namespace {

constexpr std::size_t x = 0, q = 1, scale = 2;
constexpr const char* types = "bf16:e4m3";

TEST(PerTokenGroupQuantFp8, AgreesWithTheReferenceForEveryShape) {
  // tokens, dim, group
  expect_right({{1, 64, 64}, {83, 512, 64}, {5, 4096, 128}, {3, 13824, 512}, {7, 96, 32}});
  expect_right({{3, 24, 8}, {3, 48, 16}, {9, 1024, 256}, {2, 2048, 1024}, {1, 4096, 2048}});
}

TEST(PerTokenGroupQuantFp8, AgreesForGroupsThatAreNotWholeVectors) {
  expect_right({{1, 1, 1}, {3, 15, 5}, {2, 99, 33}, {4, 36, 12}, {2, 4104, 4104}, {5, 120, 24}});
}

TEST(PerTokenGroupQuantFp8, AgreesForManyGroups) {
  expect_right({{700, 4096, 64}, {700, 4096, 512}});
}

TEST(PerTokenGroupQuantFp8, DoesNothingForNoElements) { expect_right({{0, 64, 64}, {3, 0, 64}}); }

TEST(PerTokenGroupQuantFp8, TheLargestOfAGroupBecomesTheLargestE4m3) {
  OpRun run(types, {2, 128, 64});
  run.set(x, 128 + 70, -1000);
  ASSERT_EQ(run.check("own"), "");
  EXPECT_EQ(run.get(q, 128 + 70), -448);
  EXPECT_FLOAT_EQ(static_cast<float>(run.get(scale, 3)), 1000.0f / 448.0f);
}

TEST(PerTokenGroupQuantFp8, AGroupOfZerosStaysZero) {
  for (std::int64_t group : {64, 60}) {
    OpRun run(types, {1, group, group});
    for (std::int64_t i = 0; i < group; ++i) run.set(x, i, 0);
    ASSERT_EQ(run.check("own"), "");
    EXPECT_EQ(run.get(q, 7), 0);
    EXPECT_FLOAT_EQ(static_cast<float>(run.get(scale, 0)), 1e-10f / 448.0f);
  }
}

TEST(PerTokenGroupQuantFp8, TheLargestExponentsDoNotOverflow) {
  OpRun run(types, {1, 64, 64});
  run.set(x, 3, 3e38);
  run.set(x, 4, -3e38);
  EXPECT_EQ(run.check("own"), "");
}

TEST(PerTokenGroupQuantFp8, AGroupThatDoesNotDivideIsAUsageError) {
  EXPECT_THROW(OpRun(types, {1, 64, 48}), zl::Error);
}

}  // namespace
}  // namespace ops
