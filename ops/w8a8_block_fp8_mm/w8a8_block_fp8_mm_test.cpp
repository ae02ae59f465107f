#include <gtest/gtest.h>

#include <cmath>

#include "shared/op_run.hpp"

namespace ops {
namespace {

constexpr std::size_t a = 0, w = 1, a_scale = 2, w_scale = 3, y = 4;

TEST(W8a8BlockFp8Mm, AgreesWithTheReferenceForEveryShape) {
  expect_right({{1, 1, 1}, {1, 8, 128}, {3, 5, 7}, {16, 64, 256}, {17, 72, 130}, {2, 130, 400}});
}

TEST(W8a8BlockFp8Mm, AgreesPastTheEdgesOfItsTiles) {
  // On CUDA: flat tiles to 16 rows, then square ones; k split over blocks where there are few.
  expect_right({{16, 200, 1040}, {64, 64, 2048}, {65, 129, 1000}, {130, 70, 4096}, {1, 256, 4096}});
}

TEST(W8a8BlockFp8Mm, AgreesWithManyTiles) { expect_right({{64, 4224, 512}, {200, 9000, 144}}); }

TEST(W8a8BlockFp8Mm, DoesNothingForNoRowsOrColumns) {
  EXPECT_EQ(OpRun(all_types().front(), {0, 8, 128}).check("own"), "");
  EXPECT_EQ(OpRun(all_types().front(), {8, 0, 128}).check("own"), "");
}

TEST(W8a8BlockFp8Mm, IsZeroForAnEmptySum) {
  EXPECT_EQ(OpRun(all_types().front(), {5, 9, 0}).check("own"), "");
}

TEST(W8a8BlockFp8Mm, ScalesEachBlockByItsOwnScales) {
  OpRun run(all_types().front(), {20, 260, 384});
  for (std::int64_t i = 0; i < 20 * 384; ++i) run.set(a, i, 1);
  for (std::int64_t i = 0; i < 260 * 384; ++i) run.set(w, i, 1);
  for (std::int64_t g = 0; g < 3; ++g) {
    for (std::int64_t i = 0; i < 20; ++i) run.set(a_scale, g * 20 + i, g == 1 ? i : 0);
    for (std::int64_t b = 0; b < 3; ++b) run.set(w_scale, b * 3 + g, g == 1 ? 1 << b : 0);
  }
  EXPECT_EQ(run.check("own"), "");
  EXPECT_EQ(run.get(y, 3 * 260 + 5), 3 * 128);
  EXPECT_EQ(run.get(y, 3 * 260 + 130), 3 * 256);
  EXPECT_EQ(run.get(y, 19 * 260 + 259), 19 * 512);
}

TEST(W8a8BlockFp8Mm, CarriesNanIntoItsRowAndColumn) {
  OpRun run(all_types().front(), {20, 24, 256});
  run.set(a, 3 * 256 + 7, NAN);
  run.set(w, 11 * 256 + 200, NAN);
  EXPECT_EQ(run.check("own"), "");
  EXPECT_TRUE(std::isnan(run.get(y, 3 * 24)));
  EXPECT_TRUE(std::isnan(run.get(y, 4 * 24 + 11)));
  EXPECT_FALSE(std::isnan(run.get(y, 4 * 24 + 10)));
}

}  // namespace
}  // namespace ops
