#pragma once

#include <functional>

#include "shared/with_cudnn.hpp"
#include "zl/case.hpp"

namespace ops {

/// A norm over the rows of x[rows][cols]: the layer's where `centered`, else the root mean square's
/// without a bias. x, y, weight and bias are of one type.
struct CudnnNorm {
  zl::DType type = zl::DType::f32;
  bool centered = false;
  zl::i64 rows = 0, cols = 0;
  double epsilon = 0;
};

struct CudnnNormBuffers {
  void* y;
  const void* x;
  const void* weight;
  const void* bias;  ///< not read unless centered
  void* workspace;
};

/// Bytes of `workspace` above: plans that want more are passed over.
inline constexpr zl::i64 cudnn_norm_workspace = zl::i64{4} << 20;

/// Whether cuDNN is asked for rows of this length: those of whole 16-byte accesses.
inline bool cudnn_norm_takes(zl::DType type, zl::i64 cols) {
  return cols * static_cast<zl::i64>(zl::size_of(type)) % 16 == 0;
}

/// The norm by cuDNN, where with_cudnn: the first plan of its heuristics that it supports, made in
/// the first call, which must not be under capture. The library's version goes into the result.
std::function<void(const zl::Launch&, const CudnnNormBuffers&)> cudnn_norm(const CudnnNorm& norm);

}  // namespace ops
