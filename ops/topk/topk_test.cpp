#include <gtest/gtest.h>

#include <cmath>

#include "shared/op_run.hpp"

namespace ops {
namespace {

constexpr std::size_t x = 0, values = 1, indices = 2;

TEST(Topk, AgreesWithTheReferenceForEveryTypeAndShape) {
  // rows, cols, k
  expect_right({{1, 1, 1}, {3, 5, 5}, {2, 7, 3}, {5, 33, 32}, {64, 1024, 32}, {3, 1000, 1000}});
  expect_right({{2, 4096, 256}, {2, 4097, 257}, {3, 5000, 5}, {2, 2048, 1024}, {1, 2047, 1024}});
}

TEST(Topk, AgreesForLongRows) {
  expect_right({{2, 8192, 1}, {2, 32768, 256}, {1, 65536, 5}, {3, 20001, 1024}, {1, 70007, 33}});
}

TEST(Topk, AgreesForManyRows) { expect_right({{1000, 40, 3}, {601, 8200, 4}}); }

TEST(Topk, DoesNothingForNoRowsOrNoChoice) { expect_right({{0, 8, 2}, {3, 8, 0}}); }

TEST(Topk, AgreesForRowsThatAreSortedReversedOrAllEqual) {
  for (const std::string& types : all_types()) {
    for (std::int64_t n : {700, 30000}) {
      for (int order : {-1, 0, 1}) {
        OpRun run(types, {1, n, 40});
        for (std::int64_t j = 0; j < n; ++j) {
          run.set(x, j, static_cast<double>(order * j) / 64);
        }
        for (const auto& implementation : run.definition().implementations) {
          EXPECT_EQ(run.check(implementation.name), "") << types << n << order;
        }
      }
    }
  }
}

TEST(Topk, OfEqualElementsOwnTakesTheFirst) {
  OpRun run("f32", {1, 9000, 6});
  for (std::int64_t j = 0; j < 9000; ++j) run.set(x, j, j == 8000 ? 2 : 1);
  ASSERT_EQ(run.check("own"), "");
  EXPECT_EQ(run.get(indices, 0), 8000);
  for (int j = 1; j < 6; ++j) EXPECT_EQ(run.get(indices, j), j - 1);
}

TEST(Topk, PutsNanBeforeInfinity) {
  for (const std::string& types : all_types()) {
    OpRun run(types, {1, 500, 3});
    run.set(x, 400, INFINITY);
    run.set(x, 300, NAN);
    run.set(x, 200, -INFINITY);
    ASSERT_EQ(run.check("own"), "") << types;
    EXPECT_TRUE(std::isnan(run.get(values, 0)));
    EXPECT_EQ(run.get(indices, 0), 300);
    EXPECT_EQ(run.get(values, 1), INFINITY);
  }
}

TEST(Topk, MoreThanThereAreIsAUsageError) { EXPECT_THROW(OpRun("f32", {1, 4, 5}), zl::Error); }

}  // namespace
}  // namespace ops
