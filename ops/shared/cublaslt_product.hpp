#pragma once

#include <functional>
#include <string>

#include "zl/case.hpp"

namespace ops {

/// Bytes of `workspace` below. Source: NVIDIA's recommendation for Hopper in the cuBLAS manual.
inline constexpr zl::i64 cublaslt_workspace = zl::i64{32} << 20;

/// `batch` products c = a b, one after the other in memory, row-major: a[m][k], b[k][n], c[m][n].
/// Sums in binary32.
struct CublasltShape {
  zl::DType type = zl::DType::f32;  ///< of a and b: f16, bf16, f32 or e4m3
  zl::DType out = zl::DType::f32;   ///< of c
  zl::i64 batch = 1, m = 0, n = 0, k = 0;
  /// For e4m3 only: b is stored as b[n][k]; a_scale[k / 128][m] scales 128 elements of a row of a,
  /// b_scale[n / 128][k / 128] scales 128 x 128 elements of b. What cuBLASLt asks of it: m, n and k
  /// are multiples of 16, k of 512 (a row of b_scale is a multiple of 16 bytes).
  bool block_scales = false;
  /// b is stored as b[n][k], as a layer's weights are.
  bool transposed_b = false;
  /// Bytes that the addresses of a, b and c are multiples of; at most 256, what the library takes
  /// for granted.
  zl::i64 alignment = 256;
  /// The note in the result that says which algorithm it is, for a case of several products.
  std::string note = "cublaslt_algorithm";
};

struct CublasltBuffers {
  void* c;
  const void* a;
  const void* b;
  void* workspace;
  const float* a_scale = nullptr;
  const float* b_scale = nullptr;
};

/// These products by cuBLASLt, CUDA only: the fastest of its heuristics' first algorithms, found by
/// timing them in the first call, which must not be under capture. Algorithm and version of the
/// library go into the result. Nothing is made before the first call.
std::function<void(const zl::Launch&, const CublasltBuffers&)> cublaslt_product(
    const CublasltShape& shape);

/// The same as a case's implementation.
template <class T>
std::function<void(const zl::Launch&)> cublaslt_mm(zl::Operand<T> c, zl::Operand<const T> a,
                                                   zl::Operand<const T> b,
                                                   zl::Operand<zl::u8> workspace, zl::i64 batch,
                                                   zl::i64 m, zl::i64 n, zl::i64 k) {
  const auto product = cublaslt_product({zl::dtype_of_v<T>, zl::dtype_of_v<T>, batch, m, n, k});
  return [=](const zl::Launch& launch) {
    product(launch, {launch.ptr(c), launch.ptr(a), launch.ptr(b), launch.ptr(workspace)});
  };
}

}  // namespace ops
