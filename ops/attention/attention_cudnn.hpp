#pragma once

#include <functional>

#include "shared/with_cudnn.hpp"
#include "zl/case.hpp"

namespace ops {

/// Whether cuDNN is asked for such an attention: for more than one query, of rows of whole 16-byte
/// accesses. Up to 128 elements a row is what its fused engines take on every GPU since Ampere.
/// Source: the support matrix in cuDNN's documentation of its attention.
inline bool cudnn_attention_takes(zl::i64 seq, zl::i64 dim) {
  return seq != 1 && dim % 8 == 0 && dim <= 128;
}

/// Bytes of work space: plans that want more are passed over. Fused kernels keep at most a few
/// numbers a row.
inline zl::i64 cudnn_attention_workspace(zl::i64 batch, zl::i64 heads, zl::i64 seq) {
  return (zl::i64{4} << 20) + 64 * batch * heads * seq;
}

/// attention() by cuDNN, where with_cudnn: one fused kernel, of the first plan of its heuristics
/// that it supports, made in the first call, which must not be under capture. A usage error where
/// it has none. The library's version and the engine's number go into the result.
template <class T>
std::function<void(const zl::Launch&)> cudnn_attention(zl::Operand<T> y, zl::Operand<const T> q,
                                                       zl::Operand<const T> k,
                                                       zl::Operand<const T> v,
                                                       zl::Operand<zl::u8> workspace, zl::i64 batch,
                                                       zl::i64 heads, zl::i64 seq, zl::i64 dim,
                                                       bool causal);

}  // namespace ops
