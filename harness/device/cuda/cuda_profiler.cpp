#include <cuda_profiler_api.h>

#include "device/cuda/cuda_api.hpp"

// Headers alone, which find the profiler's own library where one is attached; in the toolkit since
// CUDA 10, but a package of its own in some distributions.
#if __has_include(<nvtx3/nvToolsExt.h>)
#include <nvtx3/nvToolsExt.h>
#define ZL_HAVE_NVTX 1
#endif

namespace zl {

int CudaApi::start_profiler([[maybe_unused]] const char* range) {
  if (const int code = cudaProfilerStart()) return code;
#ifdef ZL_HAVE_NVTX
  nvtxRangePushA(range);
#endif
  return 0;
}

int CudaApi::stop_profiler() {
#ifdef ZL_HAVE_NVTX
  nvtxRangePop();
#endif
  return cudaProfilerStop();
}

}  // namespace zl
