#include "copy_kernel.cuh"
#include "faults.hpp"
#include "library.hpp"

namespace zl::fault {
namespace {

constexpr int good_threads = 256;
constexpr int bad_threads = 4096;         // no device has that many in a block
constexpr long long brief = 100'000;      // clocks: about 50 us
constexpr long long lengthy = 2'000'000;  // about 1 ms
constexpr std::int64_t far = std::int64_t{1} << 40;

__global__ void stray_kernel(float* y) { y[far] = 0; }

__global__ void endless_kernel(const float* x) {
  while (*static_cast<const volatile float*>(x) < 2) {  // x is below 1
  }
}

__device__ unsigned long long last_number;

/// Each eager call brings a higher number; only a replay brings one again.
__global__ void stray_if_repeated_kernel(float* y, unsigned long long number) {
  if (number <= last_number) y[far] = 0;
  last_number = number;
}

void launch(cudaStream_t stream, float* y, const float* x, std::int64_t first, std::int64_t last,
            int threads, long long delay) {
  copy_kernel<<<blocks_of(last - first, threads), threads, 0, stream>>>(y, x, first, last, delay);
}
void copy(cudaStream_t stream, float* y, const float* x, std::int64_t n) {
  launch(stream, y, x, 0, n, good_threads, 0);
}

bool is_captured(cudaStream_t stream) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  return cudaStreamIsCapturing(stream, &status) == cudaSuccess &&
         status != cudaStreamCaptureStatusNone;
}

cudaStream_t new_stream(unsigned flags) {
  cudaStream_t stream = nullptr;
  cudaStreamCreateWithFlags(&stream, flags);
  return stream;
}
// Made by the first call, which is eager, and left to the end of the process.
cudaStream_t blocking_stream() {
  static const cudaStream_t stream = new_stream(cudaStreamDefault);
  return stream;
}
cudaStream_t nonblocking_stream() {
  static const cudaStream_t stream = new_stream(cudaStreamNonBlocking);
  return stream;
}
cudaEvent_t fork_event() {
  static const cudaEvent_t event = [] {
    cudaEvent_t made = nullptr;
    cudaEventCreateWithFlags(&made, cudaEventDisableTiming);
    return made;
  }();
  return event;
}

}  // namespace

void healthy(Stream stream, float* y, const float* x, std::int64_t n) { copy(stream, y, x, n); }

void allocation(Stream stream, float* y, const float* x, std::int64_t n) {
  float* scratch = nullptr;
  if (cudaMalloc(&scratch, static_cast<std::size_t>(n) * sizeof(float)) != cudaSuccess) return;
  copy(stream, scratch, x, n);
  copy(stream, y, scratch, n);
  cudaFree(scratch);
}

void default_stream(Stream, float* y, const float* x, std::int64_t n) {
  launch(nullptr, y, x, 0, n, good_threads, brief);
}

void half_on_default_stream(Stream stream, float* y, const float* x, std::int64_t n) {
  launch(nullptr, y, x, 0, n / 2, good_threads, lengthy);  // events on `stream` do not see it
  launch(stream, y, x, n / 2, n, good_threads, 0);
}

void private_blocking_stream(Stream, float* y, const float* x, std::int64_t n) {
  launch(blocking_stream(), y, x, 0, n, good_threads, brief);
}

void private_nonblocking_stream(Stream, float* y, const float* x, std::int64_t n) {
  launch(nonblocking_stream(), y, x, 0, n, good_threads, lengthy);
}

void unjoined_fork(Stream stream, float* y, const float* x, std::int64_t n) {
  const cudaStream_t native = stream;
  cudaEventRecord(fork_event(), native);
  cudaStreamWaitEvent(nonblocking_stream(), fork_event(), 0);
  copy(nonblocking_stream(), y, x, n / 2);
  launch(native, y, x, n / 2, n, good_threads, brief);  // outlasts the fork
}

void synchronous_copy(Stream, float* y, const float* x, std::int64_t n) {
  cudaMemcpy(y, x, static_cast<std::size_t>(n) * sizeof(float), cudaMemcpyDeviceToDevice);
}

void bad_launch(Stream stream, float* y, const float* x, std::int64_t n) {
  launch(stream, y, x, 0, n, bad_threads, 0);
}

void bad_launch_in_capture(Stream stream, float* y, const float* x, std::int64_t n) {
  launch(stream, y, x, 0, n, is_captured(stream) ? bad_threads : good_threads, 0);
}

void bad_launch_in_library(Stream stream, float* y, const float* x, std::int64_t n) {
  zl_fault_library_copy(stream, y, x, n, bad_threads);
}

void bad_launch_in_library_in_capture(Stream stream, float* y, const float* x, std::int64_t n) {
  zl_fault_library_copy(stream, y, x, n, is_captured(stream) ? bad_threads : good_threads);
}

void out_of_bounds(Stream stream, float* y, const float* x, std::int64_t n) {
  const cudaStream_t native = stream;
  copy(native, y, x, n);
  stray_kernel<<<1, 1, 0, native>>>(y);
}

void out_of_bounds_in_capture(Stream stream, float* y, const float* x, std::int64_t n) {
  const cudaStream_t native = stream;
  copy(native, y, x, n);
  if (is_captured(native)) stray_kernel<<<1, 1, 0, native>>>(y);
}

void out_of_bounds_beside_capture(Stream stream, float* y, const float* x, std::int64_t n) {
  const cudaStream_t native = stream;
  const cudaStream_t other = nonblocking_stream();
  copy(native, y, x, n);
  if (is_captured(native)) stray_kernel<<<1, 1, 0, other>>>(y);
}

void out_of_bounds_at_replay(Stream stream, float* y, const float* x, std::int64_t n) {
  static unsigned long long number = 0;
  const cudaStream_t native = stream;
  stray_if_repeated_kernel<<<1, 1, 0, native>>>(y, ++number);
  copy(native, y, x, n);
}

void endless(Stream stream, float* y, const float* x, std::int64_t n) {
  const cudaStream_t native = stream;
  endless_kernel<<<1, 1, 0, native>>>(x);
  copy(native, y, x, n);
}

}  // namespace zl::fault
