// harness/examples/random/noise.hpp: y = x + uniform noise from [0, 1)
#pragma once
#include <zl/philox.hpp>
#include <zl/stream.hpp>
#include <zl/types.hpp>

namespace kernels {
// Element i takes word i % 4 of block i / 4 of the numbers that zl-bench reserved for the call.
ZL_HOST_DEVICE inline float drawn(const zl::Philox& numbers, zl::i64 i) {
  return zl::to_uniform(zl::draw(numbers, static_cast<std::uint64_t>(i / 4)).word[i % 4]);
}

void noise(zl::Stream stream, float* y, const float* x, zl::Philox numbers, zl::i64 n);
}  // namespace kernels
