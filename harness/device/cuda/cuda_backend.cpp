#include "device/cuda/cuda_api.hpp"
#include "device/gpu/gpu_backend.hpp"

namespace zl {

const Backend& backend() {
  static const GpuBackend<CudaApi> cuda;
  return cuda;
}

}  // namespace zl
