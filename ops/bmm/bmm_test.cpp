#include <gtest/gtest.h>

#include <cmath>

#include "shared/op_run.hpp"

namespace ops {
namespace {

TEST(Bmm, AgreesWithTheReferenceForEveryTypeAndShape) {
  expect_right({{1, 1, 1, 1}, {3, 1, 8, 8}, {5, 3, 5, 7}, {2, 16, 64, 64}, {4, 17, 72, 40}});
}

TEST(Bmm, AgreesPastTheEdgesOfItsTiles) {
  // On CUDA: flat tiles, medium ones, and with 15 large tiles in each of 8 products large ones.
  expect_right({{3, 16, 200, 136}, {2, 130, 70, 33}, {8, 300, 520, 40}});
}

TEST(Bmm, DoesNothingForNoRowsOrColumnsOrProducts) {
  for (const std::string& types : all_types()) {
    EXPECT_EQ(OpRun(types, {0, 8, 8, 8}).check("own"), "");
    EXPECT_EQ(OpRun(types, {2, 0, 8, 8}).check("own"), "");
    EXPECT_EQ(OpRun(types, {2, 8, 0, 8}).check("own"), "");
  }
}

TEST(Bmm, IsZeroForAnEmptySum) {
  for (const std::string& types : all_types()) {
    EXPECT_EQ(OpRun(types, {2, 5, 9, 0}).check("own"), "");
  }
}

TEST(Bmm, CountsMoreProductsThanAGridIsHigh) {
  for (const std::string& types : all_types()) {
    EXPECT_EQ(OpRun(types, {66000, 1, 1, 2}).check("own"), "") << types;
  }
}

TEST(Bmm, CarriesNanIntoItsRowOfItsProductOnly) {
  for (const std::string& types : all_types()) {
    OpRun run(types, {3, 20, 24, 40});
    run.set(0, (1 * 20 + 3) * 40 + 7, NAN);
    EXPECT_EQ(run.check("own"), "") << types;
    EXPECT_TRUE(std::isnan(run.get(2, (1 * 20 + 3) * 24)));
    EXPECT_FALSE(std::isnan(run.get(2, (1 * 20 + 4) * 24)));
    EXPECT_FALSE(std::isnan(run.get(2, 3 * 24)));
    EXPECT_FALSE(std::isnan(run.get(2, (2 * 20 + 3) * 24)));
  }
}

}  // namespace
}  // namespace ops
