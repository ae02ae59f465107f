#include <gtest/gtest.h>

#include <cmath>

#include "device/fill_formula.hpp"

namespace zl {
namespace {

TEST(Philox, GivesTheKnownAnswers) {
  // From the known-answer tests published with Random123.
  const PhiloxBlock zeros = philox4x32_10(0, 0, 0);
  EXPECT_EQ(zeros.word[0], 0x6627e8d5u);
  EXPECT_EQ(zeros.word[1], 0xe169c58du);
  EXPECT_EQ(zeros.word[2], 0xbc57ac4cu);
  EXPECT_EQ(zeros.word[3], 0x9b00dbd8u);
  const PhiloxBlock ones = philox4x32_10(~0ull, ~0ull, ~0ull);
  EXPECT_EQ(ones.word[0], 0x408f276du);
  EXPECT_EQ(ones.word[1], 0x41c83b0eu);
  EXPECT_EQ(ones.word[2], 0xa20bc7c6u);
  EXPECT_EQ(ones.word[3], 0x6d5451fdu);
}

TEST(Fill, NormalHasItsMeanAndDeviation) {
  const FillPlan p = plan(normal(3, 0.5));
  double sum = 0;
  double squares = 0;
  constexpr int count = 200000;
  for (int i = 0; i < count; ++i) {
    const double value = fill_float(p, 99, static_cast<std::uint64_t>(i));
    sum += value;
    squares += value * value;
  }
  const double mean = sum / count;
  EXPECT_NEAR(mean, 3, 0.005);
  EXPECT_NEAR(std::sqrt(squares / count - mean * mean), 0.5, 0.005);
}

TEST(Fill, UniformAndIntegersStayInTheirRanges) {
  const FillPlan u = plan(uniform(-2, 5));
  const FillPlan n = plan(integers(-3, 4));
  int seen[7] = {};
  for (std::uint64_t i = 0; i < 10000; ++i) {
    const float value = fill_float(u, 1, i);
    ASSERT_GE(value, -2);
    ASSERT_LT(value, 5);
    const std::int64_t whole = fill_integer(n, 1, i);
    ASSERT_GE(whole, -3);
    ASSERT_LT(whole, 4);
    ++seen[whole + 3];
  }
  for (int times : seen) EXPECT_GT(times, 1200);
}

TEST(Fill, ConstantFillsEveryType) {
  const FillPlan p = plan(constant(2));
  float f = 0;
  std::int64_t n = 0;
  f16 h;
  fill_element(&f, DType::f32, p, 1, 0);
  fill_element(&n, DType::i64, p, 1, 0);
  fill_element(&h, DType::f16, p, 1, 0);
  EXPECT_EQ(f, 2);
  EXPECT_EQ(n, 2);
  EXPECT_EQ(to_float(h), 2);
}

TEST(Fill, ValuesAreStoredInTheirOrderInEveryType) {
  const Fill fill = values({3, 0, 7, 1});
  for (DType type : {DType::f16, DType::bf16, DType::e4m3, DType::f32, DType::f64, DType::i32,
                     DType::i64, DType::u8}) {
    std::uint64_t memory[4] = {};
    fill_host(memory, type, fill, 5, 0, 4);
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_EQ(element(type, memory, i), (*fill.list)[i]) << name(type);
    }
  }
}

TEST(Fill, ValuesKeepWhatBinary32DoesNotHold) {
  const double large = 4503599627370497;  // 2^52 + 1
  std::int64_t whole = 0;
  double number = 0;
  fill_host(&whole, DType::i64, values({large}), 0, 0, 1);
  fill_host(&number, DType::f64, values({large}), 0, 0, 1);
  EXPECT_EQ(whole, 4503599627370497);
  EXPECT_EQ(number, large);
}

TEST(Fill, OnTheHostAPartIsThatPartOfTheWhole) {
  for (const Fill& fill : {uniform(1, 2), values({0, 1, 2, 3, 4, 5, 6, 7})}) {
    float whole[8] = {};
    float part[8] = {};
    fill_host(whole, DType::f32, fill, 3, 0, 8);
    fill_host(part, DType::f32, fill, 3, 2, 5);
    for (int i = 0; i < 8; ++i) EXPECT_EQ(part[i], i >= 2 && i < 5 ? whole[i] : 0);
  }
}

TEST(Poison, IsNanInEveryFloatType) {
  for (DType type : {DType::f16, DType::bf16, DType::e4m3, DType::f32, DType::f64}) {
    const std::uint64_t bits = poison_bits(type);
    EXPECT_TRUE(std::isnan(load_element(&bits, type, 0))) << name(type);
  }
}

TEST(Within, ComparesAsTheToleranceSays) {
  const double nan = std::nan("");
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(within(1.05, 1, 0.05 + 1e-9, 0));
  EXPECT_FALSE(within(1.06, 1, 0.05, 0));
  EXPECT_TRUE(within(0.1, 0, 0, 0.1));
  EXPECT_TRUE(within(nan, nan, 0, 0));
  EXPECT_FALSE(within(nan, 1, 1, 1));
  EXPECT_FALSE(within(1, nan, 1, 1));
  EXPECT_TRUE(within(inf, inf, 0, 0));
  EXPECT_FALSE(within(inf, -inf, 1, 1));
  EXPECT_FALSE(within(1, inf, 1, 1));
  EXPECT_FALSE(within(inf, 1, 1, 1));
}

}  // namespace
}  // namespace zl
