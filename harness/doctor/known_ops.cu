#include <algorithm>
#include <cstdint>

#include "known_ops.hpp"
#include "zl/gpu.hpp"

namespace zl::known {
namespace {

constexpr int block_size = 256;
constexpr int per_thread = 4;  // floats of one access

__global__ void empty_kernel() {}

#ifdef ZL_BACKEND_MUSA

// No clock in nanoseconds is documented: cycles, at the rate that the device reports.
__device__ std::uint64_t now() { return static_cast<std::uint64_t>(clock64()); }

std::int64_t ticks(std::int64_t ns) {
  int device = 0;
  int khz = 0;
  gpu::check(musaGetDevice(&device), "musaGetDevice");
  gpu::check(musaDeviceGetAttribute(&khz, musaDevAttrClockRate, device), "musaDeviceGetAttribute");
  return ns * khz / 1'000'000;
}

#else

__device__ std::uint64_t now() {
  std::uint64_t ns;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns));
  return ns;
}

std::int64_t ticks(std::int64_t ns) { return ns; }

#endif

__global__ void spin_kernel(float* done, std::int64_t ticks) {
  const std::uint64_t end = now() + static_cast<std::uint64_t>(ticks);
  while (now() < end) {
  }
  *done = 1;
}

/// Whole vectors by every thread in turn; what is left of them by the first block.
template <class Vector, class Element>
__device__ void for_each_element(std::int64_t n, Vector vector, Element element) {
  const std::int64_t vectors = n / per_thread;
  const std::int64_t first = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::int64_t stride = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t i = first; i < vectors; i += stride) vector(i);
  const std::int64_t rest = vectors * per_thread + threadIdx.x;
  if (blockIdx.x == 0 && rest < n) element(rest);
}

__global__ void copy_kernel(float* y, const float* x, std::int64_t n) {
  for_each_element(
      n,
      [&](std::int64_t i) {
        reinterpret_cast<float4*>(y)[i] = reinterpret_cast<const float4*>(x)[i];
      },
      [&](std::int64_t i) { y[i] = x[i]; });
}

__global__ void axpy_kernel(float* z, const float* x, const float* y, float a, std::int64_t n) {
  for_each_element(
      n,
      [&](std::int64_t i) {
        const float4 p = reinterpret_cast<const float4*>(x)[i];
        const float4 q = reinterpret_cast<const float4*>(y)[i];
        reinterpret_cast<float4*>(z)[i] =
            make_float4(a * p.x + q.x, a * p.y + q.y, a * p.z + q.z, a * p.w + q.w);
      },
      [&](std::int64_t i) { z[i] = a * x[i] + y[i]; });
}

unsigned blocks(std::int64_t n) {
  const std::int64_t vectors = n / per_thread;
  return static_cast<unsigned>(std::max<std::int64_t>(
      1, std::min<std::int64_t>((vectors + block_size - 1) / block_size, std::int64_t{1} << 20)));
}

}  // namespace

void empty(Stream stream) {
  const gpu::NativeStream native = stream;
  empty_kernel<<<1, 1, 0, native>>>();
}

void spin(Stream stream, f32* done, i64 ns) {
  const gpu::NativeStream native = stream;
  spin_kernel<<<1, 1, 0, native>>>(done, ticks(ns));
}

void copy(Stream stream, f32* y, const f32* x, i64 n) {
  const gpu::NativeStream native = stream;
  copy_kernel<<<blocks(n), block_size, 0, native>>>(y, x, n);
}

void axpy(Stream stream, f32* z, const f32* x, const f32* y, f32 a, i64 n) {
  const gpu::NativeStream native = stream;
  axpy_kernel<<<blocks(n), block_size, 0, native>>>(z, x, y, a, n);
}

}  // namespace zl::known
