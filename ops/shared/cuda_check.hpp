#pragma once

#include <cuda_runtime_api.h>

#include "zl/error.hpp"

namespace ops {

/// Throws zl::Error where `status` is not success. The harness's probe tells a dead context from a
/// live one, so only the lack of memory is classified here.
inline void check(cudaError_t status, const char* call) {
  if (status == cudaSuccess) return;
  const auto errc =
      status == cudaErrorMemoryAllocation ? zl::Errc::out_of_memory : zl::Errc::device;
  throw zl::Error(errc, static_cast<int>(status), cudaGetErrorName(status), call,
                  cudaGetErrorString(status));
}

/// After `kernel<<<...>>>(...)`: throws where the launch was refused.
inline void check_launch(const char* kernel) { check(cudaGetLastError(), kernel); }

}  // namespace ops
