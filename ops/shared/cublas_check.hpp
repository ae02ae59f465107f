#pragma once

#include <cublasLt.h>

#include "zl/error.hpp"

namespace ops {

/// Throws zl::Error where a call to cuBLAS or cuBLASLt has failed.
inline void check_cublas(cublasStatus_t status, const char* call) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  const auto errc =
      status == CUBLAS_STATUS_ALLOC_FAILED ? zl::Errc::out_of_memory : zl::Errc::device;
  throw zl::Error(errc, static_cast<int>(status), cublasLtGetStatusName(status), call,
                  cublasLtGetStatusString(status));
}

}  // namespace ops
