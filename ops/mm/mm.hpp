#pragma once

#include <functional>

#include "zl/case.hpp"

namespace ops {

/// c = a b, row-major: a[m][k], b[k][n], c[m][n]. Products and sums in binary32 (f16 and bf16 on
/// tensor cores where there are any; f32 without a shorter format), rounded once.
template <class T>
void mm(zl::Stream stream, T* c, const T* a, const T* b, zl::i64 m, zl::i64 n, zl::i64 k);

/// Bytes of `workspace` below. Source: NVIDIA's recommendation for Hopper in the cuBLAS manual.
inline constexpr zl::i64 cublaslt_workspace = zl::i64{32} << 20;

/// The same product by cuBLASLt, CUDA only: the fastest of its heuristics' first algorithms, found
/// by timing them in the first call, which must not be under capture. Algorithm and version of the
/// library go into the result.
template <class T>
std::function<void(const zl::Launch&)> cublaslt_mm(zl::Operand<T> c, zl::Operand<const T> a,
                                                   zl::Operand<const T> b,
                                                   zl::Operand<zl::u8> workspace, zl::i64 m,
                                                   zl::i64 n, zl::i64 k);

}  // namespace ops
