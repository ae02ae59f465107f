#include <gtest/gtest.h>

#include <cmath>

#include "shared/op_run.hpp"

namespace ops {
namespace {

TEST(Mm, AgreesWithTheReferenceForEveryTypeAndShape) {
  expect_right({{1, 1, 1}, {1, 8, 8}, {3, 5, 7}, {16, 64, 64}, {17, 72, 40}, {1, 257, 129}});
}

TEST(Mm, AgreesPastTheEdgesOfItsTiles) {
  // On CUDA: flat tiles, medium ones, and from 1300 x 1280 on large ones.
  expect_right({{16, 200, 136}, {65, 64, 32}, {130, 70, 33}, {384, 384, 384}, {1300, 1288, 40}});
}

TEST(Mm, DoesNothingForNoRowsOrColumns) {
  for (const std::string& types : all_types()) {
    EXPECT_EQ(OpRun(types, {0, 8, 8}).check("own"), "");
    EXPECT_EQ(OpRun(types, {8, 0, 8}).check("own"), "");
  }
}

TEST(Mm, IsZeroForAnEmptySum) {
  for (const std::string& types : all_types()) EXPECT_EQ(OpRun(types, {5, 9, 0}).check("own"), "");
}

TEST(Mm, CarriesNanAndInfinityIntoTheirRowsAndColumns) {
  for (const std::string& types : all_types()) {
    OpRun run(types, {20, 24, 40});
    run.set(0, 3 * 40 + 7, NAN);        // row 3 of a
    run.set(1, 11 * 24 + 5, INFINITY);  // column 5 of b
    EXPECT_EQ(run.check("own"), "") << types;
    EXPECT_TRUE(std::isnan(run.get(2, 3 * 24)));
    EXPECT_FALSE(std::isnan(run.get(2, 4 * 24)));
    EXPECT_TRUE(std::isinf(run.get(2, 4 * 24 + 5)));
  }
}

}  // namespace
}  // namespace ops
