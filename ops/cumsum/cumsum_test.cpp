#include <gtest/gtest.h>

#include <cmath>

#include "shared/op_run.hpp"
#include "shared/row_parts.hpp"

namespace ops {
namespace {

constexpr std::size_t x = 0, y = 1;

TEST(Cumsum, AgreesWithTheReferenceForEveryTypeAndShape) {
  expect_right({{1, 1}, {7, 1}, {1, 7}, {3, 33}, {64, 64}, {5, 1000}, {3, 513}, {300, 20}});
}

TEST(Cumsum, AgreesOnRowsOfSeveralChunks) {
  // On a GPU a block scans 4096 elements at a time.
  expect_right({{3, 4096}, {2, 4097}, {2, 8200}, {3, 13001}});
}

TEST(Cumsum, AgreesOnFewLongRows) {
  // On a GPU cut into parts, the last one short: then their sums first.
  static_assert(row_parts(2, 70001).count > 1);
  expect_right({{2, 16384}, {2, 70001}, {1, 200000}, {64, 16384}});
}

TEST(Cumsum, DoesNothingForNoElements) { expect_right({{0, 5}, {4, 0}}); }

TEST(Cumsum, InfinityAndNanReachOnlyWhatComesAfterThem) {
  for (const std::string& types : all_types()) {
    if (types == "i32") continue;
    for (std::int64_t cols : {40, 5000, 20000}) {
      OpRun run(types, {3, cols});
      run.set(x, 20, INFINITY);
      run.set(x, cols - 3, -INFINITY);
      run.set(x, cols + 33, NAN);
      EXPECT_EQ(run.check("own"), "") << types << " " << cols;
      EXPECT_TRUE(std::isfinite(run.get(y, 19)));
      EXPECT_EQ(run.get(y, cols - 4), INFINITY);
      EXPECT_TRUE(std::isnan(run.get(y, cols - 1)));
      EXPECT_TRUE(std::isfinite(run.get(y, cols + 32)));
      EXPECT_TRUE(std::isnan(run.get(y, 2 * cols - 1)));
      EXPECT_TRUE(std::isfinite(run.get(y, 3 * cols - 1)));
    }
  }
}

TEST(Cumsum, IntegersWrap) {
  const OpRun any("i32", {1, 1});
  for (const zl::Implementation& implementation : any.definition().implementations) {
    OpRun run("i32", {2, 64});
    for (std::int64_t j = 0; j < 128; ++j) run.set(x, j, 0);
    run.set(x, 5, 2147483647);
    run.set(x, 40, 2);
    EXPECT_EQ(run.call(implementation.name), "");
    EXPECT_EQ(run.get(y, 39), 2147483647);
    EXPECT_EQ(run.get(y, 40), -2147483647);
    EXPECT_EQ(run.get(y, 64), 0);
  }
}

}  // namespace
}  // namespace ops
