#pragma once

#include <functional>
#include <vector>

#include "zl/case.hpp"

namespace ops {

/// c[i] = a[i] b[g] for rows i in [offsets[g], offsets[g + 1]), row-major: a[rows][k],
/// b[groups][k][n], c[rows][n]. offsets[0] is 0, offsets[groups] is `rows`, a group may be empty.
/// Products and sums as in mm().
template <class T>
void grouped_mm(zl::Stream stream, T* c, const T* a, const T* b, const zl::i32* offsets,
                zl::i64 rows, zl::i64 groups, zl::i64 n, zl::i64 k);

/// Bytes of `workspace` below: cuBLAS's own part, then the groups' addresses.
inline constexpr zl::i64 cublas_workspace = zl::i64{32} << 20;
constexpr zl::i64 grouped_workspace(zl::i64 groups) { return cublas_workspace + 3 * 8 * groups; }

/// The same by cuBLAS's grouped product, CUDA only, which wants the sizes on the host; its tables
/// of addresses are written by a kernel of each call, as a framework would have to.
template <class T>
std::function<void(const zl::Launch&)> cublas_grouped_mm(zl::Operand<T> c, zl::Operand<const T> a,
                                                         zl::Operand<const T> b,
                                                         zl::Operand<const zl::i32> offsets,
                                                         zl::Operand<zl::u8> workspace,
                                                         std::vector<zl::i64> group_rows, zl::i64 n,
                                                         zl::i64 k);

}  // namespace ops
