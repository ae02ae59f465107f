#include "zl/types.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace zl {
namespace {

constexpr float inf = std::numeric_limits<float>::infinity();

TEST(SmallFloats, EveryValueComesBackFromItsFloat) {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const f16 half{static_cast<std::uint16_t>(bits)};
    if (std::isnan(to_float(half))) {
      EXPECT_TRUE(std::isnan(to_float(to_f16(to_float(half)))));
    } else {
      ASSERT_EQ(to_f16(to_float(half)).bits, bits);
    }
    const bf16 brain{static_cast<std::uint16_t>(bits)};
    if (!std::isnan(to_float(brain))) {
      ASSERT_EQ(to_bf16(to_float(brain)).bits, bits);
    }
  }
  for (std::uint32_t bits = 0; bits < 0x100; ++bits) {
    const e4m3 eighth{static_cast<std::uint8_t>(bits)};
    if (!std::isnan(to_float(eighth))) {
      ASSERT_EQ(to_e4m3(to_float(eighth)).bits, bits);
    }
  }
}

TEST(SmallFloats, RoundToNearestWithTiesToEven) {
  for (std::uint16_t bits = 0; bits < 0x7BFF; ++bits) {
    const float low = to_float(f16{bits});
    const float middle = (low + to_float(f16{static_cast<std::uint16_t>(bits + 1)})) / 2;
    ASSERT_EQ(to_f16(middle).bits, bits + (bits & 1));
    ASSERT_EQ(to_f16(std::nextafterf(middle, inf)).bits, bits + 1);
    ASSERT_EQ(to_f16(std::nextafterf(middle, -inf)).bits, bits);
  }
  for (std::uint8_t bits = 0; bits < 0x7E; ++bits) {
    const float low = to_float(e4m3{bits});
    const float middle = (low + to_float(e4m3{static_cast<std::uint8_t>(bits + 1)})) / 2;
    ASSERT_EQ(to_e4m3(middle).bits, bits + (bits & 1));
    ASSERT_EQ(to_e4m3(std::nextafterf(middle, inf)).bits, bits + 1);
  }
}

TEST(SmallFloats, OverflowAsTheirStandardsSay) {
  EXPECT_EQ(to_f16(65519.996f).bits, 0x7BFF);
  EXPECT_EQ(to_f16(65520).bits, 0x7C00);
  EXPECT_EQ(to_f16(-inf).bits, 0xFC00);
  EXPECT_EQ(to_float(e4m3{0x7E}), 448);
  EXPECT_EQ(to_e4m3(1e9f).bits, 0x7E);
  EXPECT_EQ(to_e4m3(-inf).bits, 0xFE);
  EXPECT_TRUE(std::isnan(to_float(to_e4m3(std::nanf("")))));
  EXPECT_EQ(to_float(to_bf16(inf)), inf);
  EXPECT_TRUE(std::isnan(to_float(to_bf16(std::nanf("")))));
}

TEST(SmallFloats, KnownValues) {
  EXPECT_EQ(to_f16(1.0f).bits, 0x3C00);
  EXPECT_EQ(to_bf16(1.0f).bits, 0x3F80);
  EXPECT_EQ(to_e4m3(1.0f).bits, 0x38);
  EXPECT_EQ(to_f16(0x1p-24f).bits, 1);
  EXPECT_EQ(to_e4m3(0x1p-9f).bits, 1);
}

}  // namespace
}  // namespace zl
