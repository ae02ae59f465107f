#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cub/device/device_segmented_reduce.cuh>

#include "shared/cub_call.cuh"
#include "sum.hpp"
#include "zl/registry.hpp"

namespace ops {
namespace {

/// In binary32 whatever the elements are.
struct Add {
  __device__ float operator()(float a, float b) const { return a + b; }
};

struct RowStart {
  zl::i64 cols;
  __host__ __device__ zl::i64 operator()(zl::i64 row) const { return row * cols; }
};

}  // namespace

template <class T>
void cub_sum(zl::Stream stream, T* y, const T* x, zl::u8* workspace, zl::i64 rows, zl::i64 cols) {
  if (rows == 0) return;
  const auto start =
      thrust::make_transform_iterator(thrust::counting_iterator<zl::i64>(0), RowStart{cols});
  cub_call("cub::DeviceSegmentedReduce::Reduce", workspace, cub_sum_workspace,
           [&](void* storage, std::size_t& bytes) {
             return cub::DeviceSegmentedReduce::Reduce(storage, bytes, cuda_type(x), cuda_type(y),
                                                       static_cast<int>(rows), start, start + 1,
                                                       Add{}, 0.0f, stream);
           });
}

ZL_INSTANTIATE(cub_sum)

}  // namespace ops
