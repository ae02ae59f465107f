#pragma once

#include <cudnn.h>

#include <memory>
#include <string>
#include <type_traits>

#include "zl/error.hpp"
#include "zl/types.hpp"

namespace ops {

/// What cuDNN has to say of this thread's last failed call; saying it, it forgets it.
inline std::string last_cudnn_error() {
  char text[1024] = "";
  cudnnGetLastErrorString(text, sizeof(text));
  return text;
}

inline void check_cudnn(cudnnStatus_t status, const char* call) {
  if (status == CUDNN_STATUS_SUCCESS) return;
  const std::string text = last_cudnn_error();
  const bool memory = status == CUDNN_STATUS_INTERNAL_ERROR_HOST_ALLOCATION_FAILED ||
                      status == CUDNN_STATUS_INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED;
  throw zl::Error(memory ? zl::Errc::out_of_memory : zl::Errc::device, static_cast<int>(status),
                  cudnnGetErrorString(status), call, text);
}

struct DestroyCudnn {
  void operator()(cudnnHandle_t handle) const { cudnnDestroy(handle); }
  void operator()(cudnnTensorDescriptor_t tensor) const { cudnnDestroyTensorDescriptor(tensor); }
};
template <class Handle>
using OwnedCudnn = std::unique_ptr<std::remove_pointer_t<Handle>, DestroyCudnn>;

inline OwnedCudnn<cudnnHandle_t> create_cudnn() {
  cudnnHandle_t handle = nullptr;
  check_cudnn(cudnnCreate(&handle), "cudnnCreate");
  return OwnedCudnn<cudnnHandle_t>(handle);
}

inline cudnnDataType_t cudnn_type(zl::DType type) {
  switch (type) {
    case zl::DType::f16:
      return CUDNN_DATA_HALF;
    case zl::DType::bf16:
      return CUDNN_DATA_BFLOAT16;
    case zl::DType::f32:
      return CUDNN_DATA_FLOAT;
    default:
      throw zl::Error(zl::Errc::usage,
                      "cudnn is for f16, bf16 and f32 only, not " + std::string(zl::name(type)));
  }
}

}  // namespace ops
