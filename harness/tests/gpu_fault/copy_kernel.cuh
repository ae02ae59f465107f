#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace {

/// y[i] = x[i], i in [first, last), after `delay` clocks: where a call forgets an ordering, work
/// that was enqueued before it is then done before it.
__global__ void copy_kernel(float* y, const float* x, std::int64_t first, std::int64_t last,
                            long long delay) {
  const long long start = clock64();
  while (clock64() - start < delay) {
  }
  const std::int64_t i = first + static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < last) y[i] = x[i];
}

unsigned blocks_of(std::int64_t n, int threads) {
  return static_cast<unsigned>((n + threads - 1) / threads);
}

}  // namespace
