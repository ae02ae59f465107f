#include <gtest/gtest.h>

#include <cmath>

#include "shared/op_run.hpp"

namespace ops {
namespace {

TEST(Add, AgreesWithTheReferenceForEveryTypeAndLength) {
  // 2^20 and more elements: several accesses a thread on CUDA.
  expect_right({{1}, {3}, {7}, {8}, {9}, {255}, {2048}, {2051}, {(1 << 20) + 5}});
}

TEST(Add, DoesNothingForNoElements) { expect_right({{0}}); }

TEST(Add, KeepsInfinityAndNan) {
  for (const std::string& types : all_types()) {
    OpRun run(types, {19});
    run.set(0, 0, INFINITY);
    run.set(0, 1, -INFINITY);
    run.set(0, 2, NAN);
    run.set(0, 3, INFINITY);
    run.set(1, 3, -INFINITY);
    run.set(1, 18, NAN);
    EXPECT_EQ(run.check("own"), "") << types;
    EXPECT_EQ(run.get(2, 0), INFINITY);
    EXPECT_TRUE(std::isnan(run.get(2, 3)));
  }
}

TEST(Add, OverflowsToInfinityInF16) {
  OpRun run("f16", {16});
  run.set(0, 5, 65504);
  run.set(1, 5, 65504);
  EXPECT_EQ(run.call("own"), "");
  EXPECT_EQ(run.get(2, 5), INFINITY);
}

}  // namespace
}  // namespace ops
