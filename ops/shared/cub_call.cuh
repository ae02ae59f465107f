#pragma once

#include <cstddef>
#include <string>

#include "zl/gpu.hpp"
#include "zl/types.hpp"

namespace ops {

/// CUDA only. Calls one of CUB's device-wide functions twice, as they want it:
/// `function(temporary storage, its bytes)` with no storage to learn how much it needs, then with
/// `workspace` of `bytes` bytes. CUB initializes its storage itself.
template <class Function>
void cub_call(const char* name, void* workspace, std::size_t bytes, Function function) {
  std::size_t needed = 0;
  zl::gpu::check(function(nullptr, needed), name);
  if (needed > bytes) {
    throw zl::Error(zl::Errc::internal, std::string(name) + " needs " + std::to_string(needed) +
                                            " bytes of work space, not " + std::to_string(bytes));
  }
  zl::gpu::check(function(workspace, needed), name);
}

/// CUDA only. Element types as CUB knows them.
template <class T>
struct CudaType {
  using type = T;
};
template <>
struct CudaType<zl::f16> {
  using type = __half;
};
template <>
struct CudaType<zl::bf16> {
  using type = __nv_bfloat16;
};
template <class T>
typename CudaType<T>::type* cuda_type(T* pointer) {
  return reinterpret_cast<typename CudaType<T>::type*>(pointer);
}
template <class T>
const typename CudaType<T>::type* cuda_type(const T* pointer) {
  return reinterpret_cast<const typename CudaType<T>::type*>(pointer);
}

}  // namespace ops
