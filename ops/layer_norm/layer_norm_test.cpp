#include <gtest/gtest.h>

#include <cmath>

#include "shared/op_run.hpp"

namespace ops {
namespace {

constexpr std::size_t x = 0, weight = 1, bias = 2, y = 3;

TEST(LayerNorm, AgreesWithTheReferenceForEveryTypeAndShape) {
  expect_right({{1, 1}, {4, 1}, {1, 7}, {3, 33}, {2, 256}, {5, 1000}, {1, 4096}});
}

TEST(LayerNorm, AgreesOnFewRowsOfEveryScheme) {
  // On CUDA: a block to 8192, a cluster to 65536, then two reads.
  expect_right({{2, 8192}, {2, 8200}, {2, 8193}, {1, 65536}, {2, 65544}, {1, 70001}});
}

TEST(LayerNorm, AgreesOnManyRowsOfEveryScheme) {
  // On CUDA: 8, 16 and 32 elements a thread, then clusters of 2 and more blocks.
  expect_right({{300, 24}, {264, 2047}, {265, 2056}, {266, 4104}, {264, 8200}});
}

TEST(LayerNorm, DoesNothingForNoElements) { expect_right({{0, 8}, {3, 0}}); }

TEST(LayerNorm, IsTheBiasForRowsOfOneValue) {
  for (const std::string& types : all_types()) {
    OpRun run(types, {2, 48});
    for (std::int64_t j = 0; j < 48; ++j) run.set(x, j, 3);
    EXPECT_EQ(run.check("own"), "") << types;
    EXPECT_EQ(run.get(y, 5), run.get(bias, 5)) << types;
  }
}

TEST(LayerNorm, KeepsSmallDeviationsFromALargeMean) {
  for (const std::int64_t cols : {2048, 20000, 70000}) {
    OpRun run("f32", {2, cols});
    for (std::int64_t j = 0; j < 2 * cols; ++j) {
      run.set(x, j, 4096 + static_cast<double>(j % 8) / 4);  // the mean is exact in binary32
    }
    for (std::int64_t j = 0; j < cols; ++j) run.set(weight, j, 1.0 / 16);
    EXPECT_EQ(run.check("own"), "") << cols;
  }
}

TEST(LayerNorm, KeepsNanAndInfinityWithinTheirRows) {
  for (const std::string& types : all_types()) {
    for (std::int64_t cols : {40, 9000, 70000}) {
      OpRun run(types, {3, cols});
      run.set(x, cols - 1, NAN);
      run.set(x, cols + 5, -INFINITY);
      EXPECT_EQ(run.check("own"), "") << types << " " << cols;
      EXPECT_TRUE(std::isnan(run.get(y, 0)));
      EXPECT_TRUE(std::isnan(run.get(y, cols)));
      EXPECT_TRUE(std::isfinite(run.get(y, 2 * cols)));
    }
  }
}

}  // namespace
}  // namespace ops
