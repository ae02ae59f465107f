#include <gtest/gtest.h>

#include <cmath>

#include "shared/op_run.hpp"

namespace ops {
namespace {

constexpr std::size_t x = 0, y = 1, mask = 2;

TEST(Dropout, AgreesWithTheReferenceForEveryTypeAndLength) {
  expect_right({{1}, {3}, {4}, {5}, {8}, {13}, {2048}, {4099}, {(1 << 20) + 7}});
}

TEST(Dropout, DoesNothingForNoElements) { expect_right({{0}}); }

TEST(Dropout, KeepsAboutHalfAndDoublesIt) {
  OpRun run("f32", {100000});
  const double x7 = run.get(x, 7);
  ASSERT_EQ(run.call("own"), "");
  double kept = 0;
  for (std::int64_t i = 0; i < 100000; ++i) kept += run.get(mask, i);
  EXPECT_NEAR(kept, 50000, 5 * std::sqrt(25000.0));
  EXPECT_EQ(run.get(y, 7), run.get(mask, 7) * 2 * x7);
}

TEST(Dropout, DropsInfinityAndNanToZero) {
  for (const std::string& types : all_types()) {
    OpRun run(types, {64});
    for (std::int64_t i = 0; i < 64; ++i) run.set(x, i, i % 2 == 0 ? INFINITY : NAN);
    EXPECT_EQ(run.check("own"), "") << types;
    for (std::int64_t i = 0; i < 64; ++i) {
      EXPECT_EQ(run.get(y, i) == 0, run.get(mask, i) == 0);
    }
  }
}

}  // namespace
}  // namespace ops
