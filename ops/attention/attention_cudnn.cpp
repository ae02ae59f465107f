#include "attention_cudnn.hpp"

#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "shared/cudnn_graph.hpp"
#include "zl/registry.hpp"

namespace ops {
namespace {

// What names the tensors of the graph; those between operations count on from id_between.
enum Id : zl::i64 { id_q = 1, id_k, id_v, id_y, id_scale, id_masked, id_between };

struct AttentionShape {
  zl::i64 batch, heads, seq, dim;
  bool causal;

  bool empty() const { return batch * heads * seq * dim == 0; }
};

/// Attention in the words by which cuDNN knows it and puts one fused kernel in its place: these
/// operations, in this order, with these types. What is left out or put otherwise may leave it
/// without an engine.
class AttentionGraph {
 public:
  AttentionGraph(cudnnDataType_t type, const AttentionShape& shape) : type_(type), shape_(shape) {}

  CudnnGraph build() && {
    const Tensor q = operand(id_q);
    const Tensor v = operand(id_v);
    const Tensor y = operand(id_y);
    const Tensor raw = scores(CUDNN_DATA_FLOAT);
    matmul(q, transposed_keys(), raw);
    const Tensor scaled = pointwise(CUDNN_POINTWISE_MUL, {raw, graph_.scalar(id_scale)});
    const Tensor p = softmax(shape_.causal ? masked(scaled) : scaled);
    matmul(p, v, y);
    return std::move(graph_);
  }

 private:
  using Tensor = cudnnBackendDescriptor_t;

  Tensor operand(Id id) {
    const zl::i64 head = shape_.seq * shape_.dim;
    return graph_.tensor(id, type_, {shape_.batch, shape_.heads, shape_.seq, shape_.dim},
                         {shape_.heads * head, head, shape_.dim, 1});
  }
  Tensor transposed_keys() {
    const zl::i64 head = shape_.seq * shape_.dim;
    return graph_.tensor(id_k, type_, {shape_.batch, shape_.heads, shape_.dim, shape_.seq},
                         {shape_.heads * head, head, 1, shape_.dim});
  }
  /// A number for each query and key.
  Tensor scores(cudnnDataType_t type) {
    const zl::i64 head = shape_.seq * shape_.seq;
    return between(type, {shape_.batch, shape_.heads, shape_.seq, shape_.seq},
                   {shape_.heads * head, head, shape_.seq, 1});
  }
  /// A number for each query.
  Tensor statistic() {
    return between(CUDNN_DATA_FLOAT, {shape_.batch, shape_.heads, shape_.seq, 1},
                   {shape_.heads * shape_.seq, shape_.seq, 1, 1});
  }
  Tensor between(cudnnDataType_t type, const std::vector<zl::i64>& extents,
                 const std::vector<zl::i64>& strides) {
    return graph_.tensor(next_id_++, type, extents, strides, CudnnPlace::between);
  }

  /// -infinity in place of the scores of keys after their query.
  Tensor masked(Tensor x) {
    const Tensor row = index(x, 2);
    const Tensor col = index(x, 3);
    const Tensor seen = scores(CUDNN_DATA_BOOLEAN);
    pointwise(CUDNN_POINTWISE_CMP_GE, {row, col}, seen, CUDNN_DATA_BOOLEAN);
    return pointwise(CUDNN_POINTWISE_BINARY_SELECT, {x, graph_.scalar(id_masked), seen});
  }
  Tensor index(Tensor x, zl::i64 axis) {
    const Tensor y = scores(CUDNN_DATA_INT32);
    pointwise(CUDNN_POINTWISE_GEN_INDEX, {x}, y, CUDNN_DATA_FLOAT, axis);
    return y;
  }

  Tensor softmax(Tensor x) {
    const Tensor largest = reduction(CUDNN_REDUCE_TENSOR_MAX, x);
    const Tensor shifted = pointwise(CUDNN_POINTWISE_SUB, {x, largest});
    const Tensor power = pointwise(CUDNN_POINTWISE_EXP, {shifted});
    const Tensor sum = reduction(CUDNN_REDUCE_TENSOR_ADD, power);
    // The rows' logarithm, of use to a backward pass. Nothing reads it, and no memory holds it, but
    // it belongs to what the engines look for.
    const Tensor log = statistic();
    pointwise(CUDNN_POINTWISE_LOG, {sum}, log);
    pointwise(CUDNN_POINTWISE_ADD, {largest, log}, statistic());
    const Tensor y = scores(type_);  // rounded: a factor of the second product
    pointwise(CUDNN_POINTWISE_DIV, {power, sum}, y);
    return y;
  }

  void matmul(Tensor a, Tensor b, Tensor c) {
    CudnnDescriptor kind(CUDNN_BACKEND_MATMUL_DESCRIPTOR, "a matmul");
    kind.set(CUDNN_ATTR_MATMUL_COMP_TYPE, CUDNN_TYPE_DATA_TYPE, CUDNN_DATA_FLOAT);
    kind.set(CUDNN_ATTR_MATMUL_PADDING_VALUE, CUDNN_TYPE_DOUBLE, 0.0);
    CudnnDescriptor op(CUDNN_BACKEND_OPERATION_MATMUL_DESCRIPTOR, "a matmul's operation");
    op.set(CUDNN_ATTR_OPERATION_MATMUL_ADESC, a);
    op.set(CUDNN_ATTR_OPERATION_MATMUL_BDESC, b);
    op.set(CUDNN_ATTR_OPERATION_MATMUL_CDESC, c);
    op.set(CUDNN_ATTR_OPERATION_MATMUL_DESC, graph_.part(std::move(kind)));
    graph_.operation(std::move(op));
  }

  Tensor reduction(cudnnReduceTensorOp_t mode, Tensor x) {
    const std::string what = "reduction " + std::to_string(mode);
    CudnnDescriptor kind(CUDNN_BACKEND_REDUCTION_DESCRIPTOR, what);
    kind.set(CUDNN_ATTR_REDUCTION_COMP_TYPE, CUDNN_TYPE_DATA_TYPE, CUDNN_DATA_FLOAT);
    kind.set(CUDNN_ATTR_REDUCTION_OPERATOR, CUDNN_TYPE_REDUCTION_OPERATOR_TYPE, mode);
    const Tensor y = statistic();
    CudnnDescriptor op(CUDNN_BACKEND_OPERATION_REDUCTION_DESCRIPTOR, what + "'s operation");
    op.set(CUDNN_ATTR_OPERATION_REDUCTION_XDESC, x);
    op.set(CUDNN_ATTR_OPERATION_REDUCTION_YDESC, y);
    op.set(CUDNN_ATTR_OPERATION_REDUCTION_DESC, graph_.part(std::move(kind)));
    graph_.operation(std::move(op));
    return y;
  }

  Tensor pointwise(cudnnPointwiseMode_t mode, const std::vector<Tensor>& inputs) {
    const Tensor y = scores(CUDNN_DATA_FLOAT);
    pointwise(mode, inputs, y);
    return y;
  }
  void pointwise(cudnnPointwiseMode_t mode, const std::vector<Tensor>& inputs, Tensor y,
                 cudnnDataType_t compute = CUDNN_DATA_FLOAT, zl::i64 axis = -1) {
    const std::string what = "pointwise " + std::to_string(mode);
    CudnnDescriptor kind(CUDNN_BACKEND_POINTWISE_DESCRIPTOR, what);
    kind.set(CUDNN_ATTR_POINTWISE_MODE, CUDNN_TYPE_POINTWISE_MODE, mode);
    kind.set(CUDNN_ATTR_POINTWISE_MATH_PREC, CUDNN_TYPE_DATA_TYPE, compute);
    if (axis >= 0) kind.set(CUDNN_ATTR_POINTWISE_AXIS, CUDNN_TYPE_INT64, axis);
    CudnnDescriptor op(CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR, what + "'s operation");
    op.set(CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR, graph_.part(std::move(kind)));
    const cudnnBackendAttributeName_t names[] = {CUDNN_ATTR_OPERATION_POINTWISE_XDESC,
                                                 CUDNN_ATTR_OPERATION_POINTWISE_BDESC,
                                                 CUDNN_ATTR_OPERATION_POINTWISE_TDESC};
    for (std::size_t i = 0; i < inputs.size(); ++i) op.set(names[i], inputs[i]);
    op.set(CUDNN_ATTR_OPERATION_POINTWISE_YDESC, y);
    op.set(CUDNN_ATTR_OPERATION_POINTWISE_ALPHA1, CUDNN_TYPE_FLOAT, 1.0f);
    op.set(CUDNN_ATTR_OPERATION_POINTWISE_ALPHA2, CUDNN_TYPE_FLOAT, 1.0f);
    graph_.operation(std::move(op));
  }

  cudnnDataType_t type_;
  AttentionShape shape_;
  CudnnGraph graph_;
  zl::i64 next_id_ = id_between;
};

/// What the scores of unseen keys are set to: before 9.10 the engines know the lowest number.
float masked_score() {
  return cudnnGetVersion() < 91000 ? std::numeric_limits<float>::lowest()
                                   : -std::numeric_limits<float>::infinity();
}

}  // namespace

template <class T>
std::function<void(const zl::Launch&)> cudnn_attention(zl::Operand<T> y, zl::Operand<const T> q,
                                                       zl::Operand<const T> k,
                                                       zl::Operand<const T> v,
                                                       zl::Operand<zl::u8> workspace, zl::i64 batch,
                                                       zl::i64 heads, zl::i64 seq, zl::i64 dim,
                                                       bool causal) {
  const AttentionShape shape{batch, heads, seq, dim, causal};
  // Made by the first call: a case that measures another implementation pays nothing for it.
  auto plan = std::make_shared<std::unique_ptr<CudnnPlan>>();
  return [=](const zl::Launch& launch) {
    if (shape.empty()) return;
    if (!*plan) {
      *plan =
          std::make_unique<CudnnPlan>(AttentionGraph(cudnn_type(zl::dtype_of_v<T>), shape).build(),
                                      cudnn_attention_workspace(batch, heads, seq));
      launch.note("cudnn_version", std::to_string(cudnnGetVersion()));
      launch.note("cudnn_engine", std::to_string((*plan)->engine()));
    }
    const float scale = 1 / std::sqrt(static_cast<float>(dim));
    const float masked = masked_score();
    std::vector<CudnnBinding> bindings{{id_q, launch.ptr(q)},
                                       {id_k, launch.ptr(k)},
                                       {id_v, launch.ptr(v)},
                                       {id_y, launch.ptr(y)},
                                       {id_scale, &scale}};
    if (causal) bindings.push_back({id_masked, &masked});
    (**plan)(launch.stream(), bindings, launch.ptr(workspace));
  };
}

ZL_INSTANTIATE(cudnn_attention)

}  // namespace ops
