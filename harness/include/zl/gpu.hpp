#pragma once

// For device sources (.cu) that are to build for every GPU vendor: the few names of a vendor's
// runtime that such sources need, under one name. Besides zl/torch.hpp the only public header that
// includes a vendor's.
#ifdef ZL_BACKEND_MUSA
#include <musa_bf16.h>
#include <musa_fp16.h>
#include <musa_runtime.h>
#define ZL_GPU_NAME(name) musa##name
#else
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#define ZL_GPU_NAME(name) cuda##name
#endif

#include <cstddef>

#include "zl/device_debug.hpp"
#include "zl/error.hpp"

namespace zl::gpu {

/// The vendor's own stream handle, which `kernel<<<grid, block, shared, stream>>>` takes.
using NativeStream = ZL_GPU_NAME(Stream_t);
using Status = ZL_GPU_NAME(Error_t);

/// Throws zl::Error where `status` is not success. The harness's probe tells a dead context from a
/// live one, so only the lack of memory is classified here.
inline void check(Status status, const char* call) {
  if (status == ZL_GPU_NAME(Success)) return;
  const auto errc =
      status == ZL_GPU_NAME(ErrorMemoryAllocation) ? Errc::out_of_memory : Errc::device;
  throw Error(errc, static_cast<int>(status), ZL_GPU_NAME(GetErrorName)(status), call,
              ZL_GPU_NAME(GetErrorString)(status));
}

/// The last launch's status, which is reset.
inline Status last_error() { return ZL_GPU_NAME(GetLastError)(); }

/// After `kernel<<<...>>>(...)`: throws where the launch was refused.
inline void check_launch(const char* kernel) { check(last_error(), kernel); }

/// Enqueues a fill of `bytes` bytes of device memory.
inline void memset_async(void* to, int byte, std::size_t bytes, NativeStream stream) {
  check(ZL_GPU_NAME(MemsetAsync)(to, byte, bytes, stream), "memset_async");
}

/// Enqueues a copy of `bytes` bytes within the device's memory.
inline void copy_async(void* to, const void* from, std::size_t bytes, NativeStream stream) {
  check(ZL_GPU_NAME(MemcpyAsync)(to, from, bytes, ZL_GPU_NAME(MemcpyDeviceToDevice), stream),
        "copy_async");
}

/// Lets launches of `kernel` ask for up to `bytes` of dynamic shared memory, more than the 48 KiB
/// that they get without asking.
template <class Kernel>
void allow_shared_memory(Kernel* kernel, int bytes) {
  check(ZL_GPU_NAME(FuncSetAttribute)(reinterpret_cast<const void*>(kernel),
                                      ZL_GPU_NAME(FuncAttributeMaxDynamicSharedMemorySize), bytes),
        "allow_shared_memory");
}

}  // namespace zl::gpu

#undef ZL_GPU_NAME
