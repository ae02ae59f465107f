#pragma once

#include <ATen/cuda/CUDAGraph.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <cuda_runtime_api.h>

#include <atomic>
#include <functional>
#include <list>
#include <memory>

#include "zl/gpu.hpp"

/// Memory that PyTorch allocates during a capture.
namespace zl::torch {

/// The capture that a stream takes part in.
struct StreamCapture {
  explicit StreamCapture(cudaStream_t stream) {
    cudaStreamCaptureStatus status{};
#if CUDART_VERSION >= 13000
    gpu::check(cudaStreamGetCaptureInfo(stream, &status, &id, &graph, nullptr, nullptr, nullptr),
               "cudaStreamGetCaptureInfo");
#else
    gpu::check(cudaStreamGetCaptureInfo_v2(stream, &status, &id, &graph, nullptr, nullptr),
               "cudaStreamGetCaptureInfo_v2");
#endif
    active = status == cudaStreamCaptureStatusActive;
  }
  bool active = false;
  unsigned long long id = 0;
  cudaGraph_t graph = nullptr;
};

/// A pool of PyTorch's allocator for the calls of one captured graph: what they allocate is nobody
/// else's, even after they have given it back, until the graph and all made of it are gone.
class GraphPool {
 public:
  GraphPool(c10::DeviceIndex device, const StreamCapture& capture)
      : device_(device), capture_(capture.id), pool_(at::cuda::graph_pool_handle()) {
    // CUDA destroys what a graph retains after the graph, its copies and the last replay, in a
    // thread that may not call CUDA: it only says so.
    auto* told = new std::shared_ptr<std::atomic<bool>>(graph_gone_);
    cudaUserObject_t object = nullptr;
    const cudaError_t created =
        cudaUserObjectCreate(&object, told, tell, 1, cudaUserObjectNoDestructorSync);
    if (created != cudaSuccess) delete told;
    gpu::check(created, "cudaUserObjectCreate");
    const cudaError_t retained =
        cudaGraphRetainUserObject(capture.graph, object, 1, cudaGraphUserObjectMove);
    if (retained != cudaSuccess) cudaUserObjectRelease(object, 1);
    gpu::check(retained, "cudaGraphRetainUserObject");
  }
  ~GraphPool() {
    if (used_) c10::cuda::CUDACachingAllocator::releasePool(device_, pool_);
  }
  GraphPool(const GraphPool&) = delete;
  GraphPool& operator=(const GraphPool&) = delete;

  unsigned long long capture() const { return capture_; }
  bool graph_is_gone() const { return *graph_gone_; }

  /// For the length of a call: what is allocated for streams of the capture comes from the pool.
  class Use {
   public:
    explicit Use(GraphPool& pool) : pool_(pool) {
      c10::cuda::CUDACachingAllocator::beginAllocateToPool(
          pool_.device_, pool_.pool_, [capture = pool_.capture_](cudaStream_t stream) {
            const StreamCapture of_stream(stream);
            return of_stream.active && of_stream.id == capture;
          });
    }
    ~Use() {
      c10::cuda::CUDACachingAllocator::endAllocateToPool(pool_.device_, pool_.pool_);
      // Each beginning counts as a user of the pool. The first stays, until the graph is gone.
      if (std::exchange(pool_.used_, true)) {
        c10::cuda::CUDACachingAllocator::releasePool(pool_.device_, pool_.pool_);
      }
    }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

   private:
    GraphPool& pool_;
  };

 private:
  static void CUDART_CB tell(void* told) {
    auto* const gone = static_cast<std::shared_ptr<std::atomic<bool>>*>(told);
    **gone = true;
    delete gone;
  }

  c10::DeviceIndex device_;
  unsigned long long capture_;
  c10::cuda::MempoolId_t pool_;
  bool used_ = false;
  std::shared_ptr<std::atomic<bool>> graph_gone_ = std::make_shared<std::atomic<bool>>(false);
};

/// The pools of the graphs that an implementation's calls were captured into.
class GraphPools {
 public:
  GraphPool& of(c10::DeviceIndex device, const StreamCapture& capture) {
    if (pools_.empty() || pools_.back().capture() != capture.id) {
      release();
      pools_.emplace_back(device, capture);
    }
    return pools_.back();
  }
  /// Of graphs that are still there; gives the memory of the others back.
  std::size_t release() {
    pools_.remove_if([](const GraphPool& pool) { return pool.graph_is_gone(); });
    return pools_.size();
  }

 private:
  std::list<GraphPool> pools_;
};

}  // namespace zl::torch
