#ifndef ZL_BACKEND_MUSA
#include <cooperative_groups.h>
#endif

#include <algorithm>

#include "softmax.hpp"
#include "softmax_partial.cuh"
#include "zl/gpu.hpp"
#include "zl/registry.hpp"

namespace ops {
namespace {

/// A row a block: one pass.
template <class T, int Width, int Vectors>
__global__ void __launch_bounds__(softmax_threads) row_kernel(T* y, const T* x, int cols) {
  __shared__ Partial scratch[32];
  const zl::i64 at = static_cast<zl::i64>(blockIdx.x) * cols;
  Piece<T, Width, Vectors> piece;
  piece.read(x + at, cols);
  const Partial row = block_reduce(piece.exponentiate(cols), Merge{}, nothing(), scratch);
  piece.write(y + at, cols, row);
}

#ifndef ZL_BACKEND_MUSA  // no clusters there: longer rows take the two kernels below

constexpr int cluster_blocks = 8;

/// A row a cluster of blocks, which exchange their parts through shared memory: one pass.
template <class T, int Width, int Vectors>
__global__ void __launch_bounds__(softmax_threads) cluster_kernel(T* y, const T* x, int cols) {
  __shared__ Partial scratch[32];
  __shared__ Partial parts[cluster_blocks];
  const auto cluster = cooperative_groups::this_cluster();
  auto arrival = cluster.barrier_arrive();  // the peers run: their shared memory may be written
  const int rank = static_cast<int>(cluster.block_rank());
  const int chunk = (cols / Width + cluster_blocks - 1) / cluster_blocks * Width;
  const int first = min(rank * chunk, cols);
  const int count = min(chunk, cols - first);
  const zl::i64 at = static_cast<zl::i64>(blockIdx.x / cluster_blocks) * cols + first;
  Piece<T, Width, Vectors> piece;
  piece.read(x + at, count);
  Partial row = block_reduce(piece.exponentiate(count), Merge{}, nothing(), scratch);
  cluster.barrier_wait(std::move(arrival));
  if (threadIdx.x < cluster_blocks) *cluster.map_shared_rank(parts + rank, threadIdx.x) = row;
  cluster.sync();
  row = nothing();
  for (const Partial& part : parts) row = Merge{}(row, part);
  piece.write(y + at, count, row);
}

template <class T, int Width, int PerThread>
bool launch_cluster(zl::gpu::NativeStream stream, T* y, const T* x, zl::i64 rows, zl::i64 cols) {
  if (cols > cluster_blocks * PerThread * softmax_threads) return false;
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim = {cluster_blocks, 1, 1};
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(rows * cluster_blocks));
  config.blockDim = dim3(softmax_threads);
  config.stream = stream;
  config.attrs = &attribute;
  config.numAttrs = 1;
  zl::gpu::check(cudaLaunchKernelEx(&config, cluster_kernel<T, Width, PerThread / Width>, y, x,
                                    static_cast<int>(cols)),
                 "softmax cluster_kernel");
  return true;
}

#else

template <class T, int Width, int PerThread>
bool launch_cluster(zl::gpu::NativeStream, T*, const T*, zl::i64, zl::i64) {
  return false;
}

#endif

/// Rows longer than a cluster holds, first of two kernels: block (r, c) reduces chunk c of row r.
template <class T, int Width, int Vectors>
__global__ void __launch_bounds__(softmax_threads)
    partial_kernel(Partial* partials, const T* x, zl::i64 cols) {
  __shared__ Partial scratch[32];
  const zl::i64 first = blockIdx.y * softmax_chunk;
  const int count = static_cast<int>(min(softmax_chunk, cols - first));
  Piece<T, Width, Vectors> piece;
  piece.read(x + blockIdx.x * cols + first, count);
  const Partial part = block_reduce(piece.exponentiate(count), Merge{}, nothing(), scratch);
  if (threadIdx.x == 0) {
    partials[static_cast<zl::i64>(blockIdx.x) * gridDim.y + blockIdx.y] = part;
  }
}

/// The second: merges a row's parts and reads the chunk again, from L2 where the input fits it.
template <class T, int Width, int Vectors>
__global__ void __launch_bounds__(softmax_threads)
    finish_kernel(T* y, const Partial* partials, const T* x, zl::i64 cols) {
  __shared__ Partial scratch[32];
  const zl::i64 first = blockIdx.y * softmax_chunk;
  const int count = static_cast<int>(min(softmax_chunk, cols - first));
  const zl::i64 at = blockIdx.x * cols + first;
  Piece<T, Width, Vectors> piece;
  piece.read(x + at, count);
  Partial row = nothing();
  for (unsigned c = threadIdx.x; c < gridDim.y; c += blockDim.x) {
    row = Merge{}(row, partials[static_cast<zl::i64>(blockIdx.x) * gridDim.y + c]);
  }
  row = block_reduce(row, Merge{}, nothing(), scratch);
  piece.exponentiate(count);
  piece.write(y + at, count, row);
}

template <class T, int Width, int PerThread>
bool launch_row(zl::gpu::NativeStream stream, T* y, const T* x, zl::i64 rows, zl::i64 cols) {
  if (cols > PerThread * softmax_threads) return false;
  const auto warps = static_cast<unsigned>((cols + PerThread * 32 - 1) / (PerThread * 32));
  row_kernel<T, Width, PerThread / Width>
      <<<static_cast<unsigned>(rows), 32 * warps, 0, stream>>>(y, x, static_cast<int>(cols));
  zl::gpu::check_launch("softmax row_kernel");
  return true;
}

template <class T, int Width>
void launch(zl::gpu::NativeStream stream, T* y, const T* x, Partial* partials, zl::i64 rows,
            zl::i64 cols) {
  constexpr int most = static_cast<int>(softmax_chunk) / softmax_threads;
  if (launch_row<T, Width, 8>(stream, y, x, rows, cols) ||
      launch_row<T, Width, 16>(stream, y, x, rows, cols) ||
      launch_row<T, Width, most>(stream, y, x, rows, cols) ||
      launch_cluster<T, Width, most>(stream, y, x, rows, cols)) {
    return;
  }
  const dim3 grid(static_cast<unsigned>(rows),
                  static_cast<unsigned>((cols + softmax_chunk - 1) / softmax_chunk));
  partial_kernel<T, Width, most / Width><<<grid, softmax_threads, 0, stream>>>(partials, x, cols);
  zl::gpu::check_launch("softmax partial_kernel");
  finish_kernel<T, Width, most / Width><<<grid, softmax_threads, 0, stream>>>(y, partials, x, cols);
  zl::gpu::check_launch("softmax finish_kernel");
}

}  // namespace

template <class T>
void softmax(zl::Stream stream, T* y, const T* x, zl::u8* workspace, zl::i64 rows, zl::i64 cols) {
  if (rows == 0 || cols == 0) return;
  const auto partials = reinterpret_cast<Partial*>(workspace);
  if (allows_vectors(cols * static_cast<zl::i64>(sizeof(T)), x, y)) {
    launch<T, full_width<T>>(stream, y, x, partials, rows, cols);
  } else {
    launch<T, 1>(stream, y, x, partials, rows, cols);
  }
}

ZL_INSTANTIATE(softmax)

}  // namespace ops
