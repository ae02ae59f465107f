#include <gtest/gtest.h>

#include <cmath>

#include "shared/op_run.hpp"

namespace ops {
namespace {

constexpr std::size_t b = 1, offsets = 2, y = 3;

TEST(GroupedMm, AgreesWithTheReferenceForEveryShape) {
  // groups, n, k; the groups' rows are drawn, up to 511
  expect_right({{1, 8, 8}, {3, 5, 7}, {2, 64, 64}, {5, 72, 40}, {4, 1, 16}, {3, 16, 1}});
}

TEST(GroupedMm, AgreesWithMoreGroupsThanAreFoundAtOnce) {
  expect_right({{33, 24, 16}, {70, 8, 8}});
}

TEST(GroupedMm, AgreesPastTheEdgesOfItsTiles) {
  // On CUDA: medium tiles, and with two rows of five tiles in each of 16 groups large ones.
  expect_right({{8, 264, 72}, {3, 130, 33}, {16, 520, 24}});
}

TEST(GroupedMm, DoesNothingForNoGroupsOrColumns) {
  for (const std::string& types : all_types()) {
    EXPECT_EQ(OpRun(types, {0, 8, 8}).check("own"), "");
    EXPECT_EQ(OpRun(types, {3, 0, 8}).check("own"), "");
  }
}

TEST(GroupedMm, IsZeroForAnEmptySum) {
  for (const std::string& types : all_types()) EXPECT_EQ(OpRun(types, {3, 8, 0}).check("own"), "");
}

/// Other sizes than those drawn, of as many rows in all.
void set_sizes(OpRun& run, const std::vector<std::int64_t>& sizes) {
  std::int64_t end = 0;
  for (std::size_t g = 0; g < sizes.size(); ++g)
    run.set(offsets, static_cast<std::int64_t>(g) + 1, end += sizes[g]);
}

TEST(GroupedMm, TakesEmptyGroupsAndGroupsOfOneRow) {
  for (const std::string& types : all_types()) {
    OpRun run(types, {5, 40, 24});
    const auto rows = static_cast<std::int64_t>(run.get(offsets, 5));
    for (const auto& sizes : std::vector<std::vector<std::int64_t>>{
             {0, 0, rows, 0, 0}, {rows - 1, 0, 1, 0, 0}, {0, 1, 0, 1, rows - 2}}) {
      set_sizes(run, sizes);
      EXPECT_EQ(run.check("own"), "") << types;
    }
  }
}

TEST(GroupedMm, KeepsAGroupsNanToItsRows) {
  for (const std::string& types : all_types()) {
    OpRun run(types, {3, 24, 16});
    const auto second = static_cast<std::int64_t>(run.get(offsets, 1));
    const auto third = static_cast<std::int64_t>(run.get(offsets, 2));
    ASSERT_GT(second, 0);
    ASSERT_GT(third, second);
    run.set(b, 16 * 24 + 5, NAN);  // column 5 of the second group's matrix
    EXPECT_EQ(run.check("own"), "") << types;
    EXPECT_FALSE(std::isnan(run.get(y, (second - 1) * 24 + 5)));
    EXPECT_TRUE(std::isnan(run.get(y, second * 24 + 5)));
    EXPECT_TRUE(std::isnan(run.get(y, (third - 1) * 24 + 5)));
    EXPECT_FALSE(std::isnan(run.get(y, third * 24 + 5)));
    EXPECT_FALSE(std::isnan(run.get(y, second * 24 + 6)));
  }
}

TEST(GroupedMm, DrawsTheSameRowsInEveryRun) {
  const OpRun run(all_types().front(), {16, 8, 8});
  const OpRun again(all_types().front(), {16, 8, 8});
  for (std::int64_t g = 0; g <= 16; ++g) EXPECT_EQ(run.get(offsets, g), again.get(offsets, g));
  EXPECT_GT(run.get(offsets, 16), 16 * 100);
}

}  // namespace
}  // namespace ops
