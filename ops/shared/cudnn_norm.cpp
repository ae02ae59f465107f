#include "shared/cudnn_norm.hpp"

#include <optional>
#include <utility>
#include <vector>

#include "shared/cudnn.hpp"

namespace ops {
namespace {

/// A descriptor of cuDNN's backend API: created, given attributes, finalized.
class Descriptor {
 public:
  explicit Descriptor(cudnnBackendDescriptorType_t type) {
    check_cudnn(cudnnBackendCreateDescriptor(type, &raw_), "cudnnBackendCreateDescriptor");
  }
  Descriptor(Descriptor&& other) noexcept : raw_(other.raw_) { other.raw_ = nullptr; }
  Descriptor& operator=(Descriptor&&) = delete;
  ~Descriptor() {
    if (raw_ != nullptr) cudnnBackendDestroyDescriptor(raw_);
  }
  cudnnBackendDescriptor_t get() const { return raw_; }

  template <class V>
  void set(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type,
           const std::vector<V>& values) {
    check_cudnn(cudnnBackendSetAttribute(raw_, name, type, static_cast<zl::i64>(values.size()),
                                         values.data()),
                "cudnnBackendSetAttribute");
  }
  template <class V>
  void set(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, V value) {
    check_cudnn(cudnnBackendSetAttribute(raw_, name, type, 1, &value), "cudnnBackendSetAttribute");
  }
  void set(cudnnBackendAttributeName_t name, const Descriptor& value) {
    set(name, CUDNN_TYPE_BACKEND_DESCRIPTOR, value.get());
  }
  cudnnStatus_t try_finalize() { return cudnnBackendFinalize(raw_); }
  void finalize() { check_cudnn(try_finalize(), "cudnnBackendFinalize"); }

 private:
  cudnnBackendDescriptor_t raw_ = nullptr;
};

// What names the tensors of the graph.
enum Id : zl::i64 { id_x = 1, id_y, id_weight, id_bias, id_epsilon };

/// A tensor [rows][cols], as cuDNN's norms want it: normalized over all axes but the first.
Descriptor tensor(Id id, cudnnDataType_t type, zl::i64 rows, zl::i64 cols, bool by_value = false) {
  Descriptor t(CUDNN_BACKEND_TENSOR_DESCRIPTOR);
  t.set(CUDNN_ATTR_TENSOR_UNIQUE_ID, CUDNN_TYPE_INT64, static_cast<zl::i64>(id));
  t.set(CUDNN_ATTR_TENSOR_DATA_TYPE, CUDNN_TYPE_DATA_TYPE, type);
  t.set(CUDNN_ATTR_TENSOR_DIMENSIONS, CUDNN_TYPE_INT64, std::vector<zl::i64>{rows, cols, 1, 1});
  t.set(CUDNN_ATTR_TENSOR_STRIDES, CUDNN_TYPE_INT64, std::vector<zl::i64>{cols, 1, cols, cols});
  t.set(CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, CUDNN_TYPE_INT64, zl::i64{by_value ? 4 : 16});
  t.set(CUDNN_ATTR_TENSOR_IS_BY_VALUE, CUDNN_TYPE_BOOLEAN, by_value);
  t.finalize();
  return t;
}

class Plan {
 public:
  explicit Plan(const CudnnNorm& norm)
      : handle_(create_cudnn()),
        centered_(norm.centered),
        epsilon_(static_cast<float>(norm.epsilon)) {
    const cudnnDataType_t type = cudnn_type(norm.type);
    const Descriptor x = tensor(id_x, type, norm.rows, norm.cols);
    const Descriptor y = tensor(id_y, type, norm.rows, norm.cols);
    const Descriptor weight = tensor(id_weight, type, 1, norm.cols);
    const Descriptor bias = tensor(id_bias, type, 1, norm.cols);
    const Descriptor epsilon = tensor(id_epsilon, CUDNN_DATA_FLOAT, 1, 1, true);

    Descriptor op(CUDNN_BACKEND_OPERATION_NORM_FORWARD_DESCRIPTOR);
    op.set(CUDNN_ATTR_OPERATION_NORM_FWD_MODE, CUDNN_TYPE_NORM_MODE,
           centered_ ? CUDNN_LAYER_NORM : CUDNN_RMS_NORM);
    op.set(CUDNN_ATTR_OPERATION_NORM_FWD_PHASE, CUDNN_TYPE_NORM_FWD_PHASE,
           CUDNN_NORM_FWD_INFERENCE);
    op.set(CUDNN_ATTR_OPERATION_NORM_FWD_XDESC, x);
    op.set(CUDNN_ATTR_OPERATION_NORM_FWD_SCALE_DESC, weight);
    if (centered_) op.set(CUDNN_ATTR_OPERATION_NORM_FWD_BIAS_DESC, bias);
    op.set(CUDNN_ATTR_OPERATION_NORM_FWD_EPSILON_DESC, epsilon);
    op.set(CUDNN_ATTR_OPERATION_NORM_FWD_YDESC, y);
    op.finalize();

    Descriptor graph(CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR);
    graph.set(CUDNN_ATTR_OPERATIONGRAPH_OPS, op);
    set_handle(graph, 800);
    graph.finalize();
    choose(graph);
  }

  void operator()(const zl::Launch& launch, const CudnnNormBuffers& buffers) {
    check_cudnn(cudnnSetStream(handle_.get(), launch.stream()), "cudnnSetStream");
    std::vector<zl::i64> ids{id_x, id_y, id_weight, id_epsilon};
    std::vector<const void*> pointers{buffers.x, buffers.y, buffers.weight, &epsilon_};
    if (centered_) {
      ids.push_back(id_bias);
      pointers.push_back(buffers.bias);
    }
    Descriptor pack(CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR);
    pack.set(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, CUDNN_TYPE_INT64, ids);
    pack.set(CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, CUDNN_TYPE_VOID_PTR, pointers);
    pack.set(CUDNN_ATTR_VARIANT_PACK_WORKSPACE, CUDNN_TYPE_VOID_PTR, buffers.workspace);
    pack.finalize();
    check_cudnn(cudnnBackendExecute(handle_.get(), plan_->get(), pack.get()),
                "cudnnBackendExecute");
  }

 private:
  /// CUDNN_ATTR_OPERATIONGRAPH_HANDLE, 800, and CUDNN_ATTR_EXECUTION_PLAN_HANDLE, 400: newer
  /// versions' headers warn of the names, older versions cannot do without.
  void set_handle(Descriptor& of, int name) {
    of.set(static_cast<cudnnBackendAttributeName_t>(name), CUDNN_TYPE_HANDLE, handle_.get());
  }

  /// Makes plan_ of the first of the heuristics' configurations that is supported.
  void choose(const Descriptor& graph) {
    Descriptor heuristics(CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR);
    heuristics.set(CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, graph);
    heuristics.set(CUDNN_ATTR_ENGINEHEUR_MODE, CUDNN_TYPE_HEUR_MODE, CUDNN_HEUR_MODE_A);
    heuristics.finalize();
    std::vector<Descriptor> configurations;
    std::vector<cudnnBackendDescriptor_t> raw;
    for (int i = 0; i < 8; ++i) {
      configurations.emplace_back(CUDNN_BACKEND_ENGINECFG_DESCRIPTOR);
      raw.push_back(configurations.back().get());
    }
    zl::i64 count = 0;
    check_cudnn(cudnnBackendGetAttribute(heuristics.get(), CUDNN_ATTR_ENGINEHEUR_RESULTS,
                                         CUDNN_TYPE_BACKEND_DESCRIPTOR,
                                         static_cast<zl::i64>(raw.size()), &count, raw.data()),
                "cudnnBackendGetAttribute");
    cudnnStatus_t status = CUDNN_STATUS_NOT_SUPPORTED;
    for (zl::i64 i = 0; i < count; ++i) {
      Descriptor plan(CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR);
      set_handle(plan, 400);
      plan.set(CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG,
               configurations[static_cast<std::size_t>(i)]);
      status = plan.try_finalize();
      if (status != CUDNN_STATUS_SUCCESS) continue;
      zl::i64 bytes = 0;
      zl::i64 one = 0;
      check_cudnn(cudnnBackendGetAttribute(plan.get(), CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE,
                                           CUDNN_TYPE_INT64, 1, &one, &bytes),
                  "cudnnBackendGetAttribute");
      if (bytes > cudnn_workspace) {
        status = CUDNN_STATUS_NOT_SUPPORTED;
        continue;
      }
      plan_.emplace(std::move(plan));
      return;
    }
    check_cudnn(status, "cudnn: no plan for this norm");
  }

  OwnedCudnn<cudnnHandle_t> handle_;
  bool centered_;
  float epsilon_;
  std::optional<Descriptor> plan_;
};

}  // namespace

std::function<void(const zl::Launch&, const CudnnNormBuffers&)> cudnn_norm(const CudnnNorm& norm) {
  // Made by the first call: a case that measures another implementation pays nothing for it.
  auto plan = std::make_shared<std::unique_ptr<Plan>>();
  return [=](const zl::Launch& launch, const CudnnNormBuffers& buffers) {
    if (norm.rows == 0 || norm.cols == 0) return;
    if (!*plan) {
      *plan = std::make_unique<Plan>(norm);
      launch.note("cudnn_version", std::to_string(cudnnGetVersion()));
    }
    (**plan)(launch, buffers);
  };
}

}  // namespace ops
