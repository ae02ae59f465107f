#include <cuda_runtime.h>

#include "structures.hpp"

namespace zl {
namespace {

__device__ std::int64_t now_ns() {
  std::int64_t ns;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns));
  return ns;
}

__device__ void spin(std::int64_t ns) {
  const std::int64_t end = now_ns() + ns;
  while (now_ns() < end) {
  }
}

__global__ void spin_kernel(float* done, std::int64_t ns) {
  spin(ns);
  *done = 1;
}

__global__ void programmatic_kernel(float* done, std::int64_t ns) {
#if __CUDA_ARCH__ >= 900
  cudaTriggerProgrammaticLaunchCompletion();
#endif
  spin(ns);
  *done = 1;
}

__global__ void gather_kernel(float* y, const float* table, std::int64_t row, std::int64_t n) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) y[i] = table[row * n + i];
}

__global__ void accumulate_kernel(float* y, const float* x, std::int64_t n) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) y[i] += x[i];
}

unsigned blocks(std::int64_t n) { return static_cast<unsigned>((n + 255) / 256); }

void launch_with_attribute(Stream stream, const cudaLaunchAttribute& attribute,
                           void (*kernel)(float*, std::int64_t), float* done, std::int64_t ns) {
  cudaLaunchAttribute attributes[] = {attribute};
  cudaLaunchConfig_t config{};
  config.gridDim = 1;
  config.blockDim = 1;
  config.stream = stream;
  config.attrs = attributes;
  config.numAttrs = 1;
  cudaLaunchKernelEx(&config, kernel, done, ns);
}

/// A second stream and the events of a fork, made once.
struct Fork {
  cudaStream_t stream = nullptr;
  cudaEvent_t forked = nullptr;
  cudaEvent_t joined = nullptr;
  Fork() {
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&forked, cudaEventDisableTiming);
    cudaEventCreateWithFlags(&joined, cudaEventDisableTiming);
  }
};

}  // namespace

void launch_spin(Stream stream, float* done, std::int64_t ns) {
  const cudaStream_t native = stream;
  spin_kernel<<<1, 1, 0, native>>>(done, ns);
}

void launch_programmatic_spin(Stream stream, float* done, std::int64_t ns) {
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  launch_with_attribute(stream, attribute, programmatic_kernel, done, ns);
}

void launch_fork_and_join(Stream stream, float* done, std::int64_t ns) {
  static const Fork fork;
  const cudaStream_t native = stream;
  cudaEventRecord(fork.forked, native);
  cudaStreamWaitEvent(fork.stream, fork.forked, 0);
  spin_kernel<<<1, 1, 0, native>>>(done, ns);
  spin_kernel<<<1, 1, 0, fork.stream>>>(done + 1, ns);
  cudaEventRecord(fork.joined, fork.stream);
  cudaStreamWaitEvent(native, fork.joined, 0);
}

void launch_with_allocation(Stream stream, float* done) {
  const cudaStream_t native = stream;
  void* scratch = nullptr;
  if (cudaMallocAsync(&scratch, 1024, native) != cudaSuccess) return;
  spin_kernel<<<1, 1, 0, native>>>(done, 0);
  cudaFreeAsync(scratch, native);
}

void launch_persisting(Stream stream, float* done, unsigned char* kept, std::int64_t bytes) {
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeAccessPolicyWindow;
  cudaAccessPolicyWindow& window = attribute.val.accessPolicyWindow;
  window.base_ptr = kept;
  window.num_bytes = static_cast<std::size_t>(bytes);
  window.hitRatio = 1;
  window.hitProp = cudaAccessPropertyPersisting;
  window.missProp = cudaAccessPropertyStreaming;
  launch_with_attribute(stream, attribute, spin_kernel, done, 0);
}

void launch_gather(Stream stream, float* y, const float* table, std::int64_t row, std::int64_t n) {
  const cudaStream_t native = stream;
  gather_kernel<<<blocks(n), 256, 0, native>>>(y, table, row, n);
}

void launch_accumulate(Stream stream, float* y, const float* x, std::int64_t n) {
  const cudaStream_t native = stream;
  accumulate_kernel<<<blocks(n), 256, 0, native>>>(y, x, n);
}

}  // namespace zl
