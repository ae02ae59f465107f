// harness/examples/allocating/allocating.cu: y = 2 x + 1 through memory that each call allocates
#include <zl/bench.hpp>
#include <zl/gpu.hpp>

namespace {

__global__ void multiply_kernel(float* y, const float* x, zl::i64 n) {
  const zl::i64 i = zl::i64{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 2 * x[i];
}
__global__ void add_kernel(float* y, const float* x, zl::i64 n) {
  const zl::i64 i = zl::i64{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] + 1;
}

// cudaMalloc may not be called during a capture: CTest's output shows the marker, and the result
// says method=direct with the reason. With cudaMallocAsync on `stream`, or a workspace from
// c.scratch(), the op is captured.
void twice_plus_one(cudaStream_t stream, float* y, const float* x, zl::i64 n) {
  float* between = nullptr;
  zl::gpu::check(cudaMalloc(&between, static_cast<std::size_t>(n) * sizeof(float)), "cudaMalloc");
  const auto blocks = static_cast<unsigned>((n + 255) / 256);
  multiply_kernel<<<blocks, 256, 0, stream>>>(between, x, n);
  zl::gpu::check_launch("multiply_kernel");
  add_kernel<<<blocks, 256, 0, stream>>>(y, between, n);
  zl::gpu::check_launch("add_kernel");
  zl::gpu::check(cudaFree(between), "cudaFree");
}

void rows_of(zl::Rows rows, double* y, const float* x) {
  for (zl::i64 i = rows.first; i < rows.last; ++i) *y++ = 2 * double{x[i]} + 1;
}

template <class T>
void allocating(zl::Case& c) {
  const zl::i64 n = c.axis("n");
  auto x = c.in<T>({n}, zl::normal());
  auto y = c.out<T>({n});
  c.impl("own", twice_plus_one, y, x, n);
  c.expect(y, rows_of, zl::same_rows(x));
}

}  // namespace

ZL_OP(allocating, "n");
