#include "copy_kernel.cuh"
#include "faults.hpp"

namespace zl::fault {

void other_architecture(Stream stream, float* y, const float* x, std::int64_t n) {
  const cudaStream_t native = stream;
  copy_kernel<<<blocks_of(n, 256), 256, 0, native>>>(y, x, 0, n, 0);
}

}  // namespace zl::fault
