#include <gtest/gtest.h>

#include <cmath>

#include "shared/op_run.hpp"

namespace ops {
namespace {

constexpr std::size_t x = 0, y = 1;

TEST(Sort, AgreesWithTheReferenceForEveryTypeAndShape) {
  expect_right({{1, 1}, {3, 2}, {5, 7}, {2, 255}, {2, 256}, {3, 257}, {4, 1000}, {2, 1024}});
  expect_right({{2, 1025}, {2, 4096}, {1, 4097}, {3, 8191}, {2, 8192}});
}

TEST(Sort, AgreesForRowsThatAreMerged) {
  expect_right({{3, 8193}, {2, 16384}, {2, 20001}, {1, 24577}, {2, 65536}, {1, 100003}});
}

TEST(Sort, AgreesForManyRows) { expect_right({{1000, 33}, {301, 1024}}); }

TEST(Sort, DoesNothingForNoElements) { expect_right({{0, 8}, {3, 0}}); }

TEST(Sort, OrdersRowsThatAreSortedReversedOrAllEqual) {
  for (const std::string& types : all_types()) {
    for (std::int64_t n : {1000, 10000}) {
      for (int order : {-1, 0, 1}) {
        OpRun run(types, {1, n});
        for (std::int64_t j = 0; j < n; ++j) run.set(x, j, static_cast<double>(order * (j - 500)));
        for (const auto& implementation : run.definition().implementations) {
          EXPECT_EQ(run.check(implementation.name), "") << types << n << order;
        }
      }
    }
  }
}

TEST(Sort, PutsInfinitiesAtTheEndsAndNanBehindThem) {
  for (std::int64_t n : {100, 9000}) {
    OpRun run("f32", {1, n});
    run.set(x, 7, NAN);
    run.set(x, 8, INFINITY);
    run.set(x, 9, -INFINITY);
    run.set(x, 10, NAN);
    ASSERT_EQ(run.check("own"), "");
    EXPECT_EQ(run.get(y, 0), -INFINITY);
    EXPECT_EQ(run.get(y, n - 3), INFINITY);
    EXPECT_TRUE(std::isnan(run.get(y, n - 2)));
    EXPECT_TRUE(std::isnan(run.get(y, n - 1)));
  }
}

TEST(Sort, KeepsTheExtremesOfIntegers) {
  OpRun run("i32", {1, 50});
  run.set(x, 3, 2147483647.0);
  run.set(x, 4, -2147483648.0);
  ASSERT_EQ(run.check("own"), "");
  EXPECT_EQ(run.get(y, 0), -2147483648.0);
  EXPECT_EQ(run.get(y, 49), 2147483647.0);
}

}  // namespace
}  // namespace ops
