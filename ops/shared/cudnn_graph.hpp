#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "shared/cudnn.hpp"
#include "zl/stream.hpp"

namespace ops {

/// A descriptor of cuDNN's backend API: created, given attributes, finalized.
class CudnnDescriptor {
 public:
  /// `what` it describes: errors name it.
  CudnnDescriptor(cudnnBackendDescriptorType_t type, std::string what);
  CudnnDescriptor(CudnnDescriptor&& other) noexcept
      : raw_(std::exchange(other.raw_, nullptr)), what_(std::move(other.what_)) {}
  CudnnDescriptor& operator=(CudnnDescriptor&&) = delete;
  ~CudnnDescriptor() {
    if (raw_ != nullptr) cudnnBackendDestroyDescriptor(raw_);
  }
  cudnnBackendDescriptor_t get() const { return raw_; }

  template <class V>
  void set(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type,
           const std::vector<V>& values) {
    set(name, type, static_cast<zl::i64>(values.size()), values.data());
  }
  template <class V>
  void set(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, V value) {
    set(name, type, 1, &value);
  }
  void set(cudnnBackendAttributeName_t name, cudnnBackendDescriptor_t value) {
    set(name, CUDNN_TYPE_BACKEND_DESCRIPTOR, value);
  }
  /// Reads up to `count` values to `values`; how many there are.
  zl::i64 read(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, zl::i64 count,
               void* values) const;

  cudnnStatus_t try_finalize() { return cudnnBackendFinalize(raw_); }
  void finalize() { check(try_finalize(), "cudnnBackendFinalize"); }

 private:
  void set(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, zl::i64 count,
           const void* values);
  void check(cudnnStatus_t status, const char* call, int attribute = -1) const;

  cudnnBackendDescriptor_t raw_ = nullptr;
  std::string what_;
};

/// Where the values of a graph's tensor are.
enum class CudnnPlace {
  device,   ///< in device memory
  host,     ///< one value, read from host memory when the graph is enqueued
  between,  ///< nowhere: it goes from one operation to another
};

/// Operations on tensors, and all descriptors that they are made of.
class CudnnGraph {
 public:
  /// `id` names it in the graph.
  cudnnBackendDescriptor_t tensor(zl::i64 id, cudnnDataType_t type,
                                  const std::vector<zl::i64>& extents,
                                  const std::vector<zl::i64>& strides,
                                  CudnnPlace place = CudnnPlace::device);
  /// A binary32 in host memory, with four axes.
  cudnnBackendDescriptor_t scalar(zl::i64 id);
  /// Finalizes a part of operations that is no tensor.
  cudnnBackendDescriptor_t part(CudnnDescriptor descriptor);
  /// Finalizes it, and adds it after the others.
  void operation(CudnnDescriptor descriptor) { operations_.push_back(part(std::move(descriptor))); }

  const std::vector<cudnnBackendDescriptor_t>& operations() const { return operations_; }

 private:
  std::vector<CudnnDescriptor> parts_;
  std::vector<cudnnBackendDescriptor_t> operations_;
};

struct CudnnBinding {
  zl::i64 id;  ///< of a tensor on device or host
  const void* pointer;
};

/// How cuDNN runs a graph: the first configuration of its heuristics that it supports and that
/// wants at most `workspace` bytes. Made outside of capture; where there is none, a usage error
/// that says why each was refused.
class CudnnPlan {
 public:
  CudnnPlan(CudnnGraph graph, zl::i64 workspace);

  void operator()(zl::Stream stream, const std::vector<CudnnBinding>& bindings, void* workspace);
  /// cuDNN's number of the engine.
  zl::i64 engine() const { return engine_; }

 private:
  void set_handle(CudnnDescriptor& of, int name);
  void find_configurations();
  /// Empty where this is the plan now, or why it is not.
  std::string try_configuration(const CudnnDescriptor& configuration, zl::i64 workspace);

  OwnedCudnn<cudnnHandle_t> handle_;
  CudnnGraph parts_;
  CudnnDescriptor graph_;
  std::vector<CudnnDescriptor> configurations_;
  std::optional<CudnnDescriptor> plan_;
  zl::i64 engine_ = -1;
};

}  // namespace ops
