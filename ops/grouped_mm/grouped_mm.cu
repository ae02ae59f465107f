#include "grouped_mm.hpp"
#include "shared/matmul/grouped.cuh"
#include "zl/gpu.hpp"
#include "zl/registry.hpp"

namespace ops {

template <class T>
void grouped_mm(zl::Stream stream, T* c, const T* a, const T* b, const zl::i32* offsets,
                zl::i64 rows, zl::i64 groups, zl::i64 n, zl::i64 k) {
  if (rows == 0 || n == 0) return;
  check_extents("grouped_mm", {rows, groups, n, k});
  const Matrix<T> left{a, static_cast<int>(rows), static_cast<int>(k)};
  const Matrix<T> right{b, static_cast<int>(k), static_cast<int>(n)};
  const bool aligned = has_aligned_rows(k, a) && has_aligned_rows(n, b) && has_aligned_rows(n, c);
  launch_grouped<T>(stream, c, left, right, offsets, rows, n, groups, aligned);
}

ZL_INSTANTIATE(grouped_mm)

}  // namespace ops
