#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cub/device/device_scan.cuh>
#include <cuda/std/functional>
#include <type_traits>

#include "cumsum.hpp"
#include "shared/cub_call.cuh"
#include "zl/registry.hpp"

namespace ops {
namespace {

/// In binary32 whatever the elements are.
struct AddFloats {
  __device__ float operator()(float a, float b) const { return a + b; }
};
/// As words, whose sums wrap.
struct AddIntegers {
  __device__ zl::i32 operator()(zl::i32 a, zl::i32 b) const {
    return static_cast<zl::i32>(static_cast<std::uint32_t>(a) + static_cast<std::uint32_t>(b));
  }
};

struct RowOf {
  std::uint32_t cols;
  __host__ __device__ std::uint32_t operator()(std::uint32_t i) const { return i / cols; }
};
/// Rows of 2^shift elements: without the division, which costs as much as the scan.
struct RowOfPower {
  int shift;
  __host__ __device__ std::uint32_t operator()(std::uint32_t i) const { return i >> shift; }
};

template <class T, class Row>
void scan(zl::Stream stream, T* y, const T* x, zl::u8* workspace, std::uint32_t n, Row row) {
  const auto bytes_given = static_cast<std::size_t>(cub_cumsum_workspace(1, n));
  using Add = std::conditional_t<std::is_same_v<T, zl::i32>, AddIntegers, AddFloats>;
  const auto keys =
      thrust::make_transform_iterator(thrust::counting_iterator<std::uint32_t>(0), row);
  cub_call("cub::DeviceScan::InclusiveScanByKey", workspace, bytes_given,
           [&](void* storage, std::size_t& bytes) {
             return cub::DeviceScan::InclusiveScanByKey(storage, bytes, keys, cuda_type(x),
                                                        cuda_type(y), Add{}, n,
                                                        cuda::std::equal_to<>{}, stream);
           });
}

}  // namespace

template <class T>
void cub_cumsum(zl::Stream stream, T* y, const T* x, zl::u8* workspace, zl::i64 rows,
                zl::i64 cols) {
  const zl::i64 n = rows * cols;
  if (n == 0) return;
  if (n > UINT32_MAX) throw zl::Error(zl::Errc::usage, "cumsum: cub is for under 2^32 elements");
  int shift = 0;
  while ((zl::i64{1} << shift) < cols) ++shift;
  const auto items = static_cast<std::uint32_t>(n);
  if ((zl::i64{1} << shift) == cols) {
    scan(stream, y, x, workspace, items, RowOfPower{shift});
  } else {
    scan(stream, y, x, workspace, items, RowOf{static_cast<std::uint32_t>(cols)});
  }
}

ZL_INSTANTIATE(cub_cumsum)

}  // namespace ops
