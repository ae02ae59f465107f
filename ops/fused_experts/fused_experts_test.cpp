#include <gtest/gtest.h>

#include <cmath>

#include "shared/op_run.hpp"

namespace ops {
namespace {

constexpr std::size_t x = 0, expert = 3, weight = 4, y = 5;

/// Those that the case has at a shape; `pieces` wants rows of whole 16 bytes.
std::vector<std::string> implementations(const zl::Shape& shape) {
  std::vector<std::string> names;
  const OpRun run(all_types().front(), shape);
  for (const auto& implementation : run.definition().implementations) {
    names.push_back(implementation.name);
  }
  return names;
}

TEST(FusedExperts, AgreesWithTheReferenceForEverySkewAndShape) {
  for (const std::int64_t skew : {0, 1, 2}) {
    // tokens, experts, hidden, inter, k, skew
    expect_right({{1, 1, 8, 8, 1, skew}, {1, 8, 64, 96, 2, skew}, {5, 4, 40, 24, 3, skew}});
    expect_right({{7, 5, 33, 17, 2, skew}, {3, 3, 1, 1, 3, skew}, {70, 40, 16, 8, 2, skew}});
  }
}

TEST(FusedExperts, AgreesPastTheEdgesOfItsTiles) {
  // On CUDA: flat tiles to 16 rows an expert, medium ones to 64, and large ones.
  expect_right({{64, 8, 136, 72, 2, 1}, {100, 4, 72, 136, 2, 1}, {300, 2, 40, 1100, 2, 0}});
}

TEST(FusedExperts, AgreesWhereExpertsHaveNoRowsAndWhereOneHasAll) {
  expect_right({{1, 8, 256, 512, 2, 0}, {17, 8, 256, 128, 1, 2}, {128, 8, 128, 384, 2, 1}});
  expect_right({{2, 64, 64, 64, 2, 0}, {300, 2, 40, 1104, 2, 0}, {33, 16, 72, 200, 4, 1}});
}

TEST(FusedExperts, DoesNothingForNoTokensAndIsZeroWithoutExperts) {
  const std::string types = all_types().front();
  EXPECT_EQ(OpRun(types, {0, 4, 16, 8, 2, 0}).check("own"), "");
  EXPECT_EQ(OpRun(types, {3, 4, 16, 8, 0, 0}).check("own"), "");
  EXPECT_EQ(OpRun(types, {3, 4, 16, 0, 2, 0}).check("own"), "");
}

TEST(FusedExperts, WeighsAnExpertByItsTokensWeight) {
  const zl::Shape shape{3, 4, 16, 8, 1, 0};
  for (const std::string& name : implementations(shape)) {
    OpRun run(all_types().front(), shape);
    for (int t = 0; t < 3; ++t) run.set(weight, t, t == 1 ? 0.5 : 0);
    EXPECT_EQ(run.check(name), "") << name;
    EXPECT_EQ(run.get(y, 0), 0) << name;
    EXPECT_NE(run.get(y, 16), 0) << name;
    EXPECT_EQ(run.get(y, 32), 0) << name;
  }
}

TEST(FusedExperts, TakesAnExpertTwiceForAToken) {
  // Only `own`: the pieces know on the host how many rows an expert has in the case's routing.
  OpRun run(all_types().front(), {2, 4, 16, 8, 2, 0});
  for (int pair = 0; pair < 4; ++pair) run.set(expert, pair, 3);
  EXPECT_EQ(run.check("own"), "");
}

TEST(FusedExperts, KeepsATokensNanToItsRow) {
  const zl::Shape shape{20, 4, 16, 8, 2, 2};
  for (const std::string& name : implementations(shape)) {
    OpRun run(all_types().front(), shape);
    run.set(x, 5 * 16 + 3, NAN);
    EXPECT_EQ(run.check(name), "") << name;
    EXPECT_FALSE(std::isnan(run.get(y, 4 * 16))) << name;
    EXPECT_TRUE(std::isnan(run.get(y, 5 * 16))) << name;
    EXPECT_FALSE(std::isnan(run.get(y, 6 * 16))) << name;
  }
}

TEST(FusedExperts, MayBeCalledAgainAndAgain) {
  const zl::Shape shape{5, 4, 40, 24, 3, 1};
  for (const std::string& name : implementations(shape)) {
    OpRun run(all_types().front(), shape);
    EXPECT_EQ(run.call(name, 3), "") << name;
    EXPECT_EQ(run.check(name), "") << name;
  }
}

TEST(FusedExperts, CountsTheExpertsThatAreUsed) {
  // One-hot: 2 of 8 experts; x and y; ids and weights.
  EXPECT_EQ(OpRun("bf16", {4, 8, 16, 32, 2, 2}).definition().traffic_bytes(),
            2 * 3 * 16 * 32 * 2 + 2 * 4 * 16 * 2 + 8 * 8);
}

}  // namespace
}  // namespace ops
