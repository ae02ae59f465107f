#include "measure/statistics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "measure/summary.hpp"
#include "zl/error.hpp"

namespace zl {
namespace {

const std::vector<double> golden{0.013,  0.011,  0.012,  0.0115, 0.02,
                                 0.0125, 0.0118, 0.0119, 0.0121, 0.0122};

TEST(Statistics, GiveTheGoldenValues) {
  EXPECT_DOUBLE_EQ(stats::mean(golden), 0.0128);
  EXPECT_DOUBLE_EQ(stats::median(golden), 0.01205);
  EXPECT_DOUBLE_EQ(stats::quantile(golden, 0.5), 0.01205);
  EXPECT_DOUBLE_EQ(stats::quantile(golden, 0.2), 0.01174);
  EXPECT_DOUBLE_EQ(stats::quantile(golden, 0.8), 0.0126);
  EXPECT_DOUBLE_EQ(stats::minimum(golden), 0.011);
  EXPECT_DOUBLE_EQ(stats::maximum(golden), 0.02);
}

TEST(Statistics, MeanIsTheExactSumRoundedOnce) {
  EXPECT_EQ(stats::mean(std::vector<double>(10, 0.1)), 0.1);
  EXPECT_EQ(stats::mean({1e16, 1, -1e16, 1}), 0.5);
  EXPECT_EQ(stats::mean({1, 1, 2}), 4.0 / 3);
}

TEST(Statistics, MedianOfAnOddCountIsTheMiddleOne) {
  EXPECT_EQ(stats::median({3, 1, 2}), 2);
  EXPECT_EQ(stats::median({7}), 7);
}

TEST(Statistics, QuantileOutsideZeroToOneIsAUsageError) {
  for (double q : {-0.01, 1.01, std::numeric_limits<double>::quiet_NaN()}) {
    try {
      stats::quantile(golden, q);
      FAIL() << q;
    } catch (const Error& e) {
      EXPECT_EQ(e.errc, Errc::usage);
    }
  }
  EXPECT_EQ(stats::quantile(golden, 0), 0.011);
  EXPECT_EQ(stats::quantile(golden, 1), 0.02);
}

TEST(Statistics, CoefficientOfVariationIsTheSampleDeviationOverTheMean) {
  EXPECT_NEAR(*stats::cv_pct({1, 3}), 100 * std::sqrt(2.0) / 2, 1e-12);
  EXPECT_FALSE(stats::cv_pct({1}));
}

TEST(Statistics, HalfWidthUsesTheOrderStatisticsOfA95PercentInterval) {
  // Six values: the whole range, 2 / 2^6 = 3.1 %; five cannot reach 95 %.
  EXPECT_FALSE(stats::median_half_width_pct({1, 2, 3, 4, 5}));
  EXPECT_NEAR(*stats::median_half_width_pct({1, 2, 3, 4, 5, 6}), 100 * 2.5 / 3.5, 1e-12);
  // Ten values: ranks 2 and 9 (2.1 %); ranks 3 and 8 would miss with 10.9 %.
  EXPECT_NEAR(*stats::median_half_width_pct({1, 2, 3, 4, 5, 6, 7, 8, 9, 10}), 100 * 3.5 / 5.5,
              1e-12);
}

TEST(ReferenceSummary, QuantilesOverrideTheReturnMode) {
  EXPECT_EQ(reference_summary(golden, std::vector<double>{}, ReturnMode::mean).size(), 0u);
  const auto one = reference_summary(golden, std::vector<double>{0.5}, ReturnMode::max);
  ASSERT_EQ(one.size(), 1u);
  EXPECT_DOUBLE_EQ(one[0], 0.01205);
  const auto three = reference_summary(golden, std::vector<double>{0.5, 0.2, 0.8}, ReturnMode::min);
  ASSERT_EQ(three.size(), 3u);
  EXPECT_DOUBLE_EQ(three[1], 0.01174);
}

TEST(ReferenceSummary, ModesGiveOneValueAndAllGivesTheOrderMeasured) {
  EXPECT_DOUBLE_EQ(reference_summary(golden, {}, ReturnMode::mean)[0], 0.0128);
  EXPECT_DOUBLE_EQ(reference_summary(golden, {}, ReturnMode::median)[0], 0.01205);
  EXPECT_DOUBLE_EQ(reference_summary(golden, {}, ReturnMode::min)[0], 0.011);
  EXPECT_DOUBLE_EQ(reference_summary(golden, {}, ReturnMode::max)[0], 0.02);
  EXPECT_EQ(reference_summary(golden, {}, ReturnMode::all), golden);
}

TEST(ReferenceSummary, NamesQuantilesByTheirPercentage) {
  EXPECT_EQ(quantile_metric(0.2), "latency_q20_us");
  EXPECT_EQ(quantile_metric(0.999), "latency_q99_9_us");
  EXPECT_EQ(quantile_metric(1), "latency_q100_us");
}

}  // namespace
}  // namespace zl
