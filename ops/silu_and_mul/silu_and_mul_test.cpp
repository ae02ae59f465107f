#include <gtest/gtest.h>

#include <cmath>

#include "shared/op_run.hpp"

namespace ops {
namespace {

constexpr std::size_t x = 0, y = 1;

TEST(SiluAndMul, AgreesWithTheReferenceForEveryTypeAndShape) {
  expect_right({{1, 1}, {5, 1}, {1, 7}, {3, 33}, {2, 256}, {7, 1000}, {3, 4099}});
}

TEST(SiluAndMul, AgreesWithSeveralAccessesAThread) {
  // From 2^20 elements on; 2056 and 2051 leave a part of a part over.
  expect_right({{512, 2056}, {512, 2051}});
}

TEST(SiluAndMul, DoesNothingForNoElements) { expect_right({{0, 8}, {3, 0}}); }

TEST(SiluAndMul, KeepsToItsLimitsForLargeGates) {
  for (const std::string& types : all_types()) {
    OpRun run(types, {1, 24});
    const double gates[] = {100, -100, 1000, -1000, 60000, -60000};
    for (std::int64_t j = 0; j < 6; ++j) {
      run.set(x, j, gates[j]);
      run.set(x, 24 + j, 1);
    }
    EXPECT_EQ(run.call("own"), "") << types;
    EXPECT_EQ(run.get(y, 2), run.get(x, 2)) << types;
    EXPECT_EQ(run.get(y, 4), run.get(x, 4)) << types;
    for (std::int64_t j : {1, 3, 5}) {
      EXPECT_NEAR(run.get(y, j), 0, 1e-40) << types << " " << gates[j];
    }
  }
}

TEST(SiluAndMul, DefinesInfinityAndNan) {
  for (const std::string& types : all_types()) {
    OpRun run(types, {1, 40});
    run.set(x, 0, INFINITY);
    run.set(x, 40, -2);
    run.set(x, 1, -INFINITY);
    run.set(x, 2, NAN);
    run.set(x, 40 + 3, INFINITY);
    run.set(x, 3, -2);
    run.set(x, 40 + 4, NAN);
    EXPECT_EQ(run.check("own"), "") << types;
    EXPECT_EQ(run.get(y, 0), -INFINITY);
    EXPECT_TRUE(std::isnan(run.get(y, 1)));
    EXPECT_TRUE(std::isnan(run.get(y, 2)));
    EXPECT_EQ(run.get(y, 3), -INFINITY);
    EXPECT_FALSE(std::isnan(run.get(y, 5)));
  }
}

}  // namespace
}  // namespace ops
