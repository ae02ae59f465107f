#include <algorithm>
#include <cub/device/device_segmented_sort.cuh>

#include "shared/cub_call.cuh"
#include "shared/cub_segments.cuh"
#include "topk.hpp"
#include "zl/registry.hpp"

namespace ops {
namespace {

constexpr int threads = 256;

__global__ void number_kernel(zl::i32* index, zl::i64 count, zl::i64 cols) {
  const zl::i64 i = static_cast<zl::i64>(blockIdx.x) * threads + threadIdx.x;
  if (i < count) index[i] = static_cast<zl::i32>(i % cols);
}

template <class T>
__global__ void first_kernel(T* values, zl::i64* indices, const T* sorted, const zl::i32* index,
                             zl::i64 count, zl::i64 cols, zl::i64 k) {
  const zl::i64 i = static_cast<zl::i64>(blockIdx.x) * threads + threadIdx.x;
  if (i >= count) return;
  const zl::i64 from = i / k * cols + i % k;
  values[i] = sorted[from];
  indices[i] = index[from];
}

unsigned blocks_for(zl::i64 count) {
  return static_cast<unsigned>((count + threads - 1) / threads);
}

}  // namespace

template <class T>
void cub_topk(zl::Stream stream, T* values, zl::i64* indices, const T* x, zl::u8* workspace,
              zl::i64 rows, zl::i64 cols, zl::i64 k) {
  if (rows == 0 || k == 0) return;
  const zl::i64 elements = std::min(rows, row_group) * cols;
  auto* const index = reinterpret_cast<zl::i32*>(workspace);
  auto* const sorted_index = index + elements;
  auto* const sorted = reinterpret_cast<T*>(sorted_index + elements);
  // The storage wants an aligned address.
  const zl::i64 used = (elements * (8 + static_cast<zl::i64>(sizeof(T))) + 255) / 256 * 256;
  const auto left = static_cast<std::size_t>(cub_topk_workspace<T>(rows, cols) - used);
  const zl::gpu::NativeStream on = stream;
  number_kernel<<<blocks_for(elements), threads, 0, on>>>(index, elements, cols);
  zl::gpu::check_launch("topk number_kernel");
  const auto begin = row_starts(cols);
  for_row_groups(rows, [&](zl::i64 first, zl::i64 count) {
    cub_call("cub::DeviceSegmentedSort::SortPairsDescending", workspace + used, left,
             [&](void* storage, std::size_t& needed) {
               return cub::DeviceSegmentedSort::SortPairsDescending(
                   storage, needed, cuda_type(x + first * cols), cuda_type(sorted), index,
                   sorted_index, count * cols, count, begin, begin + 1, on);
             });
    first_kernel<<<blocks_for(count * k), threads, 0, on>>>(
        values + first * k, indices + first * k, sorted, sorted_index, count * k, cols, k);
    zl::gpu::check_launch("topk first_kernel");
  });
}

ZL_INSTANTIATE(cub_topk)

}  // namespace ops
