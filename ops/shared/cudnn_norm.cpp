#include "shared/cudnn_norm.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "shared/cudnn_graph.hpp"

namespace ops {
namespace {

// What names the tensors of the graph.
enum Id : zl::i64 { id_x = 1, id_y, id_weight, id_bias, id_epsilon };

CudnnGraph norm_graph(const CudnnNorm& norm) {
  CudnnGraph graph;
  // Normalized over all axes but the first, as cuDNN's norms want it.
  const auto tensor = [&](Id id, zl::i64 rows) {
    return graph.tensor(id, cudnn_type(norm.type), {rows, norm.cols, 1, 1},
                        {norm.cols, 1, norm.cols, norm.cols});
  };
  CudnnDescriptor op(CUDNN_BACKEND_OPERATION_NORM_FORWARD_DESCRIPTOR, "the norm");
  op.set(CUDNN_ATTR_OPERATION_NORM_FWD_MODE, CUDNN_TYPE_NORM_MODE,
         norm.centered ? CUDNN_LAYER_NORM : CUDNN_RMS_NORM);
  op.set(CUDNN_ATTR_OPERATION_NORM_FWD_PHASE, CUDNN_TYPE_NORM_FWD_PHASE, CUDNN_NORM_FWD_INFERENCE);
  op.set(CUDNN_ATTR_OPERATION_NORM_FWD_XDESC, tensor(id_x, norm.rows));
  op.set(CUDNN_ATTR_OPERATION_NORM_FWD_SCALE_DESC, tensor(id_weight, 1));
  if (norm.centered) op.set(CUDNN_ATTR_OPERATION_NORM_FWD_BIAS_DESC, tensor(id_bias, 1));
  op.set(CUDNN_ATTR_OPERATION_NORM_FWD_EPSILON_DESC, graph.scalar(id_epsilon));
  op.set(CUDNN_ATTR_OPERATION_NORM_FWD_YDESC, tensor(id_y, norm.rows));
  graph.operation(std::move(op));
  return graph;
}

}  // namespace

std::function<void(const zl::Launch&, const CudnnNormBuffers&)> cudnn_norm(const CudnnNorm& norm) {
  // Made by the first call: a case that measures another implementation pays nothing for it.
  auto plan = std::make_shared<std::unique_ptr<CudnnPlan>>();
  return [=](const zl::Launch& launch, const CudnnNormBuffers& buffers) {
    if (norm.rows == 0 || norm.cols == 0) return;
    if (!*plan) {
      *plan = std::make_unique<CudnnPlan>(norm_graph(norm), cudnn_norm_workspace);
      launch.note("cudnn_version", std::to_string(cudnnGetVersion()));
    }
    const auto epsilon = static_cast<float>(norm.epsilon);
    std::vector<CudnnBinding> bindings{
        {id_x, buffers.x}, {id_y, buffers.y}, {id_weight, buffers.weight}, {id_epsilon, &epsilon}};
    if (norm.centered) bindings.push_back({id_bias, buffers.bias});
    (**plan)(launch.stream(), bindings, buffers.workspace);
  };
}

}  // namespace ops
