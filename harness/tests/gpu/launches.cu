#include <cuda_runtime.h>

#include "launches.hpp"

namespace zl {
namespace {

__global__ void increment(std::int32_t* data, std::int64_t count) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < count) data[i] += 1;
}

}  // namespace

void launch_increment(Stream stream, std::int32_t* data, std::int64_t count) {
  const cudaStream_t native = stream;
  increment<<<static_cast<unsigned>((count + 255) / 256), 256, 0, native>>>(data, count);
}

void launch_with_bad_configuration(Stream stream) {
  const cudaStream_t native = stream;
  increment<<<1, 4096, 0, native>>>(nullptr, 0);
}

}  // namespace zl
