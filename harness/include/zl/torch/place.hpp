#pragma once

#include <ATen/core/Generator.h>
#include <c10/core/Device.h>

#include <optional>

#include "zl/launch.hpp"

#if defined(ZL_BACKEND_MUSA)
#error "zl/torch.hpp is for host and cuda: leave musa out of this op with BACKENDS host cuda"
#elif defined(ZL_BACKEND_CUDA)
#if !__has_include(<c10/cuda/CUDAGuard.h>)
#error "zl/torch.hpp for cuda needs a PyTorch that is built with CUDA"
#endif
#include <ATen/Context.h>
#include <c10/cuda/CUDAGuard.h>

#include "zl/torch/graph_generator.hpp"
#include "zl/torch/graph_pool.hpp"
#else
#include <ATen/CPUGeneratorImpl.h>
#endif

/// Where calls run, in PyTorch's terms.
namespace zl::torch {

#if defined(ZL_BACKEND_CUDA)

class Place {
 public:
  /// `memory` is some of the device's.
  Place(bool draws, const void* memory) {
    cudaPointerAttributes attributes{};
    gpu::check(cudaPointerGetAttributes(&attributes, memory), "cudaPointerGetAttributes");
    index_ = static_cast<c10::DeviceIndex>(attributes.device);
    // Not every operator does that before its first call is captured, and then there is no pool.
    at::globalContext().lazyInitDevice(at::kCUDA);
    if (draws) generator_.emplace(index_);
  }
  at::Device device() const { return {at::kCUDA, index_}; }
  const at::Generator& generator() const { return generator_->get(); }
  /// That hold memory of calls.
  std::size_t graphs() { return pools_.release(); }

  /// For the length of a call: PyTorch's current stream is the call's; in a capture, allocations
  /// and draws are such as a graph may hold.
  class Call {
   public:
    Call(Place& place, Stream stream)
        : stream_(c10::cuda::getStreamFromExternal(stream, place.index_)) {
      const StreamCapture capture(stream);
      const bool first_of_capture = capture.active && capture.id != place.last_capture_;
      if (capture.active) place.last_capture_ = capture.id;
      if (capture.active) pool_.emplace(place.pools_.of(place.index_, capture));
      if (place.generator_) {
        generator_.emplace(*place.generator_, capture.active, first_of_capture);
      }
    }

   private:
    c10::cuda::CUDAStreamGuard stream_;
    std::optional<GraphPool::Use> pool_;
    std::optional<GraphGenerator::Use> generator_;
  };

 private:
  c10::DeviceIndex index_ = 0;
  unsigned long long last_capture_ = 0;
  GraphPools pools_;
  std::optional<GraphGenerator> generator_;
};

#else

class Place {
 public:
  Place(bool, const void*) {}
  at::Device device() const { return at::kCPU; }
  const at::Generator& generator() const { return at::detail::getDefaultCPUGenerator(); }

  class Call {
   public:
    Call(Place&, Stream) {}
  };
};

#endif

}  // namespace zl::torch
