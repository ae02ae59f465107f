// harness/examples/random/noise.cu
#include <zl/gpu.hpp>

#include "noise.hpp"

namespace kernels {
namespace {
__global__ void noise_kernel(float* y, const float* x, zl::Philox numbers, zl::i64 n) {
  const zl::i64 i = zl::i64{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] + drawn(numbers, i);
}
}  // namespace

void noise(zl::Stream stream, float* y, const float* x, zl::Philox numbers, zl::i64 n) {
  const auto blocks = static_cast<unsigned>((n + 255) / 256);
  noise_kernel<<<blocks, 256, 0, zl::gpu::NativeStream(stream)>>>(y, x, numbers, n);
  zl::gpu::check_launch("noise_kernel");
}
}  // namespace kernels
