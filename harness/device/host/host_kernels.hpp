#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

#include "device/device.hpp"
#include "device/fill_formula.hpp"

/// The harness's own kernels on host memory.
namespace zl::host {

inline void generate(void* to, DType type, std::int64_t count, const FillPlan& fill,
                     std::uint64_t key) {
  for (std::int64_t i = 0; i < count; ++i) {
    fill_element(to, type, fill, key, static_cast<std::uint64_t>(i));
  }
}

inline void poison(void* to, DType type, std::int64_t count) {
  const std::size_t size = size_of(type);
  const std::uint64_t pattern = poison_bits(type);
  auto* bytes = static_cast<char*>(to);
  for (std::int64_t i = 0; i < count; ++i, bytes += size) std::memcpy(bytes, &pattern, size);
}

template <class Matches>
Comparison search(std::int64_t count, Matches matches) {
  Comparison found;
  for (std::int64_t i = 0; i < count; ++i) {
    if (!matches(static_cast<std::uint64_t>(i))) continue;
    if (found.differing++ == 0) found.first = i;
  }
  return found;
}

inline Comparison find_poison(const void* data, DType type, std::int64_t count) {
  const std::size_t size = size_of(type);
  const std::uint64_t pattern = poison_bits(type);
  return search(count, [=](std::uint64_t i) {
    return std::memcmp(static_cast<const char*>(data) + i * size, &pattern, size) == 0;
  });
}

inline Comparison find_nonfinite(const void* data, DType type, std::int64_t count) {
  return search(count,
                [=](std::uint64_t i) { return !std::isfinite(load_element(data, type, i)); });
}

inline Comparison find_differing(const void* got, const void* want, DType type, std::int64_t count,
                                 Tolerance tolerance) {
  return search(count, [=](std::uint64_t i) {
    return !within(load_element(got, type, i), load_element(want, type, i), tolerance.relative,
                   tolerance.absolute);
  });
}

}  // namespace zl::host
