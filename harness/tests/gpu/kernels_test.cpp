#include <limits>

#include "device/fill_formula.hpp"
#include "open_device.hpp"

namespace zl {
namespace {

constexpr std::int64_t odd_count = 100003;

TEST_F(OnDevice, GenerateDrawsTheBitsOfTheHostsFormula) {
  const Fill fills[] = {normal(0.5, 2), uniform(-1, 3), integers(-5, 100), constant(3)};
  for (const DType type : all_types) {
    const std::size_t bytes = odd_count * size_of(type);
    const OwnedMemory memory(*device, bytes);
    for (const Fill& fill : fills) {
      const std::uint64_t key = 0x123456789ABCDEF0u + static_cast<std::uint64_t>(fill.kind);
      device->generate(memory.get(), type, odd_count, fill, key, stream);
      std::vector<unsigned char> expected(bytes);
      const FillPlan p = plan(fill);
      for (std::int64_t i = 0; i < odd_count; ++i) {
        fill_element(expected.data(), type, p, key, static_cast<std::uint64_t>(i));
      }
      EXPECT_EQ(host_bytes(memory.get(), bytes) == expected, true)
          << name(type) << ", kind " << static_cast<int>(fill.kind);
    }
  }
}

TEST_F(OnDevice, PoisonIsFoundInEveryElementAndInTheLastAlone) {
  for (const DType type : all_types) {
    const std::size_t size = size_of(type);
    const OwnedMemory memory(*device, odd_count * size);
    device->poison(memory.get(), type, odd_count, stream);
    Comparison found = device->find_poison(memory.get(), type, odd_count, stream);
    EXPECT_EQ(found.differing, odd_count) << name(type);
    EXPECT_EQ(found.first, 0) << name(type);
    std::uint64_t bits = 0;
    device->copy_to_host(&bits, memory.get(), size);
    EXPECT_EQ(bits, poison_bits(type)) << name(type);

    device->set_bytes(memory.get(), 0, odd_count * size, stream);
    found = device->find_poison(memory.get(), type, odd_count, stream);
    EXPECT_EQ(found.differing, 0) << name(type);
    EXPECT_EQ(found.first, -1) << name(type);

    device->poison(memory.get() + (odd_count - 1) * size, type, 1, stream);
    found = device->find_poison(memory.get(), type, odd_count, stream);
    EXPECT_EQ(found.differing, 1) << name(type);
    EXPECT_EQ(found.first, odd_count - 1) << name(type);
  }
}

TEST_F(OnDevice, PoisonIsFoundBeyondTwoToThe31Elements) {
  constexpr std::int64_t count = (std::int64_t{1} << 31) + 5;
  const OwnedMemory memory(*device, count);
  device->set_bytes(memory.get(), 0, count, stream);
  device->poison(memory.get() + count - 1, DType::u8, 1, stream);
  const Comparison found = device->find_poison(memory.get(), DType::u8, count, stream);
  EXPECT_EQ(found.differing, 1);
  EXPECT_EQ(found.first, count - 1);
}

TEST_F(OnDevice, CompareCountsAndFindsTheFirstDifference) {
  for (const DType type : all_types) {
    const std::size_t size = size_of(type);
    const OwnedMemory got(*device, odd_count * size);
    const OwnedMemory want(*device, odd_count * size);
    const auto set = [&](std::int64_t index, double value) {
      device->generate(got.get() + static_cast<std::size_t>(index) * size, type, 1, constant(value),
                       0, stream);
    };
    device->generate(want.get(), type, odd_count, constant(4), 0, stream);
    device->generate(got.get(), type, odd_count, constant(4), 0, stream);
    Comparison found = device->compare(got.get(), want.get(), type, odd_count, {}, stream);
    EXPECT_EQ(found.differing, 0) << name(type);
    EXPECT_EQ(found.first, -1) << name(type);

    set(odd_count - 1, 5);
    found = device->compare(got.get(), want.get(), type, odd_count, {}, stream);
    EXPECT_EQ(found.differing, 1) << name(type);
    EXPECT_EQ(found.first, odd_count - 1) << name(type);

    set(7, 8);
    found = device->compare(got.get(), want.get(), type, odd_count, {0.25, 0}, stream);
    EXPECT_EQ(found.differing, 1) << name(type) << ": |5 - 4| <= 0.25 x 4";
    EXPECT_EQ(found.first, 7) << name(type);
    found = device->compare(got.get(), want.get(), type, odd_count, {0.25, 3}, stream);
    EXPECT_EQ(found.differing, 0) << name(type) << ": |8 - 4| <= 3 + 0.25 x 4";
  }
}

TEST_F(OnDevice, NanMatchesOnlyNanAndInfinityOnlyItself) {
  const float inf = std::numeric_limits<float>::infinity();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> got{nan, nan, 1, inf, inf, inf, 1};
  const std::vector<float> want{nan, 1, nan, inf, -inf, 1, 1};
  const std::size_t bytes = got.size() * sizeof(float);
  const auto count = static_cast<std::int64_t>(got.size());
  const OwnedMemory a(*device, bytes);
  const OwnedMemory b(*device, bytes);
  device->copy_to_device(a.get(), got.data(), bytes);
  device->copy_to_device(b.get(), want.data(), bytes);
  const Comparison found = device->compare(a.get(), b.get(), DType::f32, count, {1, 1}, stream);
  EXPECT_EQ(found.differing, 4);
  EXPECT_EQ(found.first, 1);
  const Comparison nonfinite = device->find_nonfinite(a.get(), DType::f32, count, stream);
  EXPECT_EQ(nonfinite.differing, 5);
  EXPECT_EQ(nonfinite.first, 0);
}

TEST_F(OnDevice, NonfiniteElementsAreFoundInFloatsAndNeverInIntegers) {
  for (const DType type : all_types) {
    const OwnedMemory memory(*device, odd_count * size_of(type));
    device->generate(memory.get(), type, odd_count, uniform(), 1, stream);
    EXPECT_EQ(device->find_nonfinite(memory.get(), type, odd_count, stream).differing, 0)
        << name(type);
    device->poison(memory.get() + (odd_count - 1) * size_of(type), type, 1, stream);
    const Comparison found = device->find_nonfinite(memory.get(), type, odd_count, stream);
    EXPECT_EQ(found.differing, is_floating(type) ? 1 : 0) << name(type);
    EXPECT_EQ(found.first, is_floating(type) ? odd_count - 1 : -1) << name(type);
  }
}

TEST_F(OnDevice, NoElementsAreNothingToDo) {
  device->generate(nullptr, DType::f32, 0, uniform(), 0, stream);
  device->poison(nullptr, DType::f32, 0, stream);
  EXPECT_EQ(device->find_poison(nullptr, DType::f32, 0, stream).differing, 0);
  EXPECT_EQ(device->find_nonfinite(nullptr, DType::f32, 0, stream).differing, 0);
  EXPECT_EQ(device->compare(nullptr, nullptr, DType::f32, 0, {}, stream).differing, 0);
}

}  // namespace
}  // namespace zl
