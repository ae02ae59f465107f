#include "sum/sum.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "shared/op_run.hpp"

namespace ops {
namespace {

TEST(Sum, AgreesWithTheReferenceForEveryTypeAndShape) {
  expect_right({{1, 1}, {7, 1}, {1, 7}, {3, 33}, {64, 64}, {5, 1000}, {9, 1025}, {4, 4096}});
}

TEST(Sum, AgreesOnManyShortRows) { expect_right({{2049, 3}, {2050, 64}, {5000, 1}}); }

TEST(Sum, AgreesOnFewLongRows) {
  // On a GPU cut into parts, the last one short: then two kernels.
  static_assert(row_parts(2, 70001).count > 1);
  expect_right({{2, 16384}, {2, 70001}, {1, 200000}, {64, 16384}, {1, 1000003}});
}

TEST(Sum, PartsCoverARowOnce) {
  for (zl::i64 rows : {0, 1, 2, 63, 1024, 5000}) {
    for (zl::i64 cols : {0, 1, 8192, 16384, 16385, 99999, 1 << 30}) {
      const RowParts parts = row_parts(rows, cols);
      EXPECT_GE(parts.count * parts.length, cols) << rows << " " << cols;
      EXPECT_TRUE(parts.count == 1 || (parts.count - 1) * parts.length < cols);
    }
  }
}

TEST(Sum, IsZeroForNoElements) { expect_right({{0, 5}, {4, 0}}); }

TEST(Sum, KeepsInfinityAndNanWithinTheirRows) {
  for (const std::string& types : all_types()) {
    for (std::int64_t cols : {40, 20000}) {
      OpRun run(types, {4, cols});
      run.set(0, cols - 1, INFINITY);
      run.set(0, cols, INFINITY);
      run.set(0, 2 * cols - 1, -INFINITY);
      run.set(0, 2 * cols + 17, NAN);
      EXPECT_EQ(run.check("own"), "") << types << " " << cols;
      EXPECT_EQ(run.get(1, 0), INFINITY);
      EXPECT_TRUE(std::isnan(run.get(1, 1)));
      EXPECT_TRUE(std::isnan(run.get(1, 2)));
      EXPECT_TRUE(std::isfinite(run.get(1, 3)));
    }
  }
}

TEST(Sum, OverflowsOnlyWhenItIsRounded) {
  OpRun run("f16", {1, 64});
  for (std::int64_t j = 0; j < 64; ++j) run.set(0, j, j % 2 == 0 ? 60000 : -60000);
  run.set(0, 0, 0);
  run.set(0, 1, 0);
  EXPECT_EQ(run.check("own"), "");
  EXPECT_EQ(run.get(1, 0), 0);
}

}  // namespace
}  // namespace ops
