#include <cub/device/device_segmented_sort.cuh>

#include "shared/cub_call.cuh"
#include "shared/cub_segments.cuh"
#include "sort.hpp"
#include "zl/registry.hpp"

namespace ops {

template <class T>
void cub_sort(zl::Stream stream, T* y, const T* x, zl::u8* workspace, zl::i64 rows, zl::i64 cols) {
  const auto begin = row_starts(cols);
  const auto bytes = static_cast<std::size_t>(cub_sort_workspace(rows, cols));
  for_row_groups(rows, [&](zl::i64 first, zl::i64 count) {
    cub_call("cub::DeviceSegmentedSort::SortKeys", workspace, bytes,
             [&](void* storage, std::size_t& needed) {
               return cub::DeviceSegmentedSort::SortKeys(storage, needed, x + first * cols,
                                                         y + first * cols, count * cols, count,
                                                         begin, begin + 1, stream);
             });
  });
}

ZL_INSTANTIATE(cub_sort)

}  // namespace ops
