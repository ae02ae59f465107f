#include "shared/cudnn_graph.hpp"

namespace ops {

CudnnDescriptor::CudnnDescriptor(cudnnBackendDescriptorType_t type, std::string what)
    : what_(std::move(what)) {
  check(cudnnBackendCreateDescriptor(type, &raw_), "cudnnBackendCreateDescriptor");
}

zl::i64 CudnnDescriptor::read(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type,
                              zl::i64 count, void* values) const {
  zl::i64 available = 0;
  check(cudnnBackendGetAttribute(raw_, name, type, count, &available, values),
        "cudnnBackendGetAttribute", name);
  return available;
}

void CudnnDescriptor::check(cudnnStatus_t status, const char* call, int attribute) const {
  if (status == CUDNN_STATUS_SUCCESS) return;
  std::string text = std::string(call) + " of " + what_;
  if (attribute >= 0) text += ", attribute " + std::to_string(attribute);
  check_cudnn(status, text.c_str());
}

void CudnnDescriptor::set(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type,
                          zl::i64 count, const void* values) {
  check(cudnnBackendSetAttribute(raw_, name, type, count, values), "cudnnBackendSetAttribute",
        name);
}

cudnnBackendDescriptor_t CudnnGraph::tensor(zl::i64 id, cudnnDataType_t type,
                                            const std::vector<zl::i64>& extents,
                                            const std::vector<zl::i64>& strides, CudnnPlace place) {
  CudnnDescriptor t(CUDNN_BACKEND_TENSOR_DESCRIPTOR, "tensor " + std::to_string(id));
  t.set(CUDNN_ATTR_TENSOR_UNIQUE_ID, CUDNN_TYPE_INT64, id);
  t.set(CUDNN_ATTR_TENSOR_DATA_TYPE, CUDNN_TYPE_DATA_TYPE, type);
  t.set(CUDNN_ATTR_TENSOR_DIMENSIONS, CUDNN_TYPE_INT64, extents);
  t.set(CUDNN_ATTR_TENSOR_STRIDES, CUDNN_TYPE_INT64, strides);
  t.set(CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, CUDNN_TYPE_INT64, zl::i64{16});
  t.set(CUDNN_ATTR_TENSOR_IS_VIRTUAL, CUDNN_TYPE_BOOLEAN, place == CudnnPlace::between);
  t.set(CUDNN_ATTR_TENSOR_IS_BY_VALUE, CUDNN_TYPE_BOOLEAN, place == CudnnPlace::host);
  return part(std::move(t));
}

cudnnBackendDescriptor_t CudnnGraph::scalar(zl::i64 id) {
  return tensor(id, CUDNN_DATA_FLOAT, {1, 1, 1, 1}, {1, 1, 1, 1}, CudnnPlace::host);
}

cudnnBackendDescriptor_t CudnnGraph::part(CudnnDescriptor descriptor) {
  descriptor.finalize();
  parts_.push_back(std::move(descriptor));
  return parts_.back().get();
}

CudnnPlan::CudnnPlan(CudnnGraph graph, zl::i64 workspace)
    : handle_(create_cudnn()),
      parts_(std::move(graph)),
      graph_(CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR, "the graph") {
  graph_.set(CUDNN_ATTR_OPERATIONGRAPH_OPS, CUDNN_TYPE_BACKEND_DESCRIPTOR, parts_.operations());
  set_handle(graph_, 800);
  graph_.finalize();
  find_configurations();
  std::string refusals;
  for (const CudnnDescriptor& configuration : configurations_) {
    const std::string refusal = try_configuration(configuration, workspace);
    if (refusal.empty()) return;
    refusals += "; " + refusal;
  }
  throw zl::Error(zl::Errc::usage, "cudnn " + std::to_string(cudnnGetVersion()) +
                                       " has no plan for this graph, of " +
                                       std::to_string(configurations_.size()) + " configurations" +
                                       refusals);
}

void CudnnPlan::operator()(zl::Stream stream, const std::vector<CudnnBinding>& bindings,
                           void* workspace) {
  std::vector<zl::i64> ids;
  std::vector<const void*> pointers;
  for (const CudnnBinding& binding : bindings) {
    ids.push_back(binding.id);
    pointers.push_back(binding.pointer);
  }
  CudnnDescriptor pack(CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR, "the variant pack");
  pack.set(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, CUDNN_TYPE_INT64, ids);
  pack.set(CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, CUDNN_TYPE_VOID_PTR, pointers);
  pack.set(CUDNN_ATTR_VARIANT_PACK_WORKSPACE, CUDNN_TYPE_VOID_PTR, workspace);
  pack.finalize();
  check_cudnn(cudnnSetStream(handle_.get(), stream), "cudnnSetStream");
  check_cudnn(cudnnBackendExecute(handle_.get(), plan_->get(), pack.get()), "cudnnBackendExecute");
}

/// CUDNN_ATTR_OPERATIONGRAPH_HANDLE, 800, and CUDNN_ATTR_EXECUTION_PLAN_HANDLE, 400: newer
/// versions' headers warn of the names, older versions cannot do without.
void CudnnPlan::set_handle(CudnnDescriptor& of, int name) {
  of.set(static_cast<cudnnBackendAttributeName_t>(name), CUDNN_TYPE_HANDLE, handle_.get());
}

void CudnnPlan::find_configurations() {
  CudnnDescriptor heuristics(CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR, "the heuristics");
  heuristics.set(CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, graph_.get());
  heuristics.set(CUDNN_ATTR_ENGINEHEUR_MODE, CUDNN_TYPE_HEUR_MODE, CUDNN_HEUR_MODE_A);
  heuristics.finalize();
  const auto read = [&](zl::i64 count, void* values) {
    return heuristics.read(CUDNN_ATTR_ENGINEHEUR_RESULTS, CUDNN_TYPE_BACKEND_DESCRIPTOR, count,
                           values);
  };
  const zl::i64 count = read(0, nullptr);
  if (count == 0) return;
  std::vector<cudnnBackendDescriptor_t> raw;
  for (zl::i64 i = 0; i < count; ++i) {
    configurations_.emplace_back(CUDNN_BACKEND_ENGINECFG_DESCRIPTOR, "a configuration");
    raw.push_back(configurations_.back().get());
  }
  const auto filled = static_cast<std::size_t>(read(count, raw.data()));
  while (configurations_.size() > filled) configurations_.pop_back();
}

std::string CudnnPlan::try_configuration(const CudnnDescriptor& configuration, zl::i64 workspace) {
  CudnnDescriptor plan(CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR, "a plan");
  set_handle(plan, 400);
  plan.set(CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, configuration.get());
  const cudnnStatus_t status = plan.try_finalize();
  if (status != CUDNN_STATUS_SUCCESS) {
    return std::string(cudnnGetErrorString(status)) + ", " + last_cudnn_error();
  }
  zl::i64 bytes = 0;
  plan.read(CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE, CUDNN_TYPE_INT64, 1, &bytes);
  if (bytes > workspace) return "wants " + std::to_string(bytes) + " bytes of work space";

  const CudnnDescriptor engine(CUDNN_BACKEND_ENGINE_DESCRIPTOR, "an engine");
  cudnnBackendDescriptor_t raw = engine.get();
  configuration.read(CUDNN_ATTR_ENGINECFG_ENGINE, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &raw);
  engine.read(CUDNN_ATTR_ENGINE_GLOBAL_INDEX, CUDNN_TYPE_INT64, 1, &engine_);
  plan_.emplace(std::move(plan));
  return {};
}

}  // namespace ops
