// harness/examples/fork_join/fork_join.cu: y = 2 x, the second half on a stream of the op's own
#include <zl/bench.hpp>
#include <zl/gpu.hpp>

namespace {

__global__ void twice_kernel(float* y, const float* x, zl::i64 n) {
  const zl::i64 i = zl::i64{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 2 * x[i];
}

void launch_twice(cudaStream_t stream, float* y, const float* x, zl::i64 n) {
  if (n == 0) return;
  twice_kernel<<<static_cast<unsigned>((n + 255) / 256), 256, 0, stream>>>(y, x, n);
  zl::gpu::check_launch("twice_kernel");
}

struct Side {
  Side() {
    zl::gpu::check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreate");
    zl::gpu::check(cudaEventCreateWithFlags(&forked, cudaEventDisableTiming), "cudaEventCreate");
    zl::gpu::check(cudaEventCreateWithFlags(&joined, cudaEventDisableTiming), "cudaEventCreate");
  }
  cudaStream_t stream = nullptr;
  cudaEvent_t forked = nullptr;
  cudaEvent_t joined = nullptr;
};

// The events make the side stream part of the capture, and end its part: without the second wait
// the capture fails, and so does the call's order. The time is that of the whole, not a sum.
void twice(cudaStream_t stream, float* y, const float* x, zl::i64 n) {
  static Side side;  // made by the first call, which is never timed; lives as long as the process
  const zl::i64 half = n / 2;
  zl::gpu::check(cudaEventRecord(side.forked, stream), "cudaEventRecord");
  zl::gpu::check(cudaStreamWaitEvent(side.stream, side.forked), "cudaStreamWaitEvent");
  launch_twice(stream, y, x, half);
  launch_twice(side.stream, y + half, x + half, n - half);
  zl::gpu::check(cudaEventRecord(side.joined, side.stream), "cudaEventRecord");
  zl::gpu::check(cudaStreamWaitEvent(stream, side.joined), "cudaStreamWaitEvent");
}

void twice_rows(zl::Rows rows, double* y, const float* x) {
  for (zl::i64 i = rows.first; i < rows.last; ++i) *y++ = 2 * double{x[i]};
}

template <class T>
void fork_join(zl::Case& c) {
  const zl::i64 n = c.axis("n");
  auto x = c.in<T>({n}, zl::normal());
  auto y = c.out<T>({n});
  c.impl("own", twice, y, x, n);
  c.expect(y, twice_rows, zl::same_rows(x));
}

}  // namespace

ZL_OP(fork_join, "n");
