#include <gtest/gtest.h>

#include <cmath>

#include "shared/op_run.hpp"

namespace ops {
namespace {

TEST(Softmax, AgreesWithTheReferenceForEveryTypeAndShape) {
  expect_right({{1, 1}, {3, 1}, {1, 7}, {5, 33}, {2, 64}, {3, 2048}, {4, 2049}, {2, 4096}});
}

TEST(Softmax, AgreesOnRowsOfEveryScheme) {
  // On CUDA: a block to 8192, a cluster to 65536, then two kernels.
  expect_right({{2, 8192}, {2, 8200}, {2, 8193}, {1, 65536}, {2, 65544}, {1, 70001}});
}

TEST(Softmax, DoesNothingForNoElements) { expect_right({{0, 5}, {4, 0}}); }

// Rows 0 to 3: some -inf, only -inf, +inf, NaN; row 4 is ordinary.
void expect_special_rows_right(std::int64_t cols) {
  for (const std::string& types : all_types()) {
    OpRun run(types, {5, cols});
    for (std::int64_t j = 0; j < cols; ++j) {
      if (j % 3 != 0) run.set(0, j, -INFINITY);
      run.set(0, cols + j, -INFINITY);
    }
    run.set(0, 2 * cols + cols / 2, INFINITY);
    run.set(0, 4 * cols - 1, NAN);
    EXPECT_EQ(run.check("own"), "") << types << " " << cols;
    EXPECT_EQ(run.get(1, 1), 0) << "-inf has no probability";
    EXPECT_TRUE(std::isnan(run.get(1, cols)));
    EXPECT_TRUE(std::isnan(run.get(1, 2 * cols)));
    EXPECT_TRUE(std::isnan(run.get(1, 3 * cols)));
    EXPECT_FALSE(std::isnan(run.get(1, 4 * cols)));
  }
}

TEST(Softmax, DefinesRowsWithInfinityAndNan) {
  for (std::int64_t cols : {9, 4096, 9000, 70000}) expect_special_rows_right(cols);
}

TEST(Softmax, DoesNotOverflowForLargeInputs) {
  for (const std::string& types : all_types()) {
    OpRun run(types, {1, 100});
    for (std::int64_t j = 0; j < 100; ++j) run.set(0, j, 30000 + 64.0 * static_cast<double>(j % 3));
    EXPECT_EQ(run.check("own"), "") << types;
  }
}

}  // namespace
}  // namespace ops
