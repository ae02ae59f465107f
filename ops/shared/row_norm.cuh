#pragma once

#ifndef ZL_BACKEND_MUSA
#include <cooperative_groups.h>
#endif

#include <algorithm>
#include <utility>

#include "shared/row_statistic.cuh"
#include "shared/vector.cuh"
#include "zl/gpu.hpp"

namespace ops {

/// y[r][j] = (x[r][j] - shift) * scale * weight[j] + bias[j], shift and scale by the row's
/// Statistic. `bias` is read only where Statistic::centered.
template <class T>
struct RowNorm {
  T* y;
  const T* x;
  const T* weight;
  const T* bias;
  float epsilon;
  zl::i64 cols;
};

namespace row_norm_detail {

inline constexpr int threads = 256;
inline constexpr int most_per_thread = 32;

/// Up to Vectors * Width * blockDim.x consecutive elements of a row, held in a block's registers.
template <class T, int Width, int Vectors>
struct Piece {
  /// Few enough for the weights' loads to be in flight beside the row's.
  static constexpr bool weights_early = Width > 1 && Width* Vectors <= 8;
  float value[Vectors][Width];
  float weight[Vectors][Width];
  float bias[Vectors][Width];

  __device__ static int element(int v) {
    return static_cast<int>(threadIdx.x + v * blockDim.x) * Width;
  }

  __device__ void read(const T* from, int count) {
#pragma unroll
    for (int v = 0; v < Vectors; ++v) {
      if (element(v) < count) load(value[v], from + element(v));
    }
  }

  template <bool HasBias>
  __device__ void read_weights(int v, const RowNorm<T>& norm, zl::i64 first) {
    load(weight[v], norm.weight + first + element(v));
    if constexpr (HasBias) load(bias[v], norm.bias + first + element(v));
  }

  template <bool HasBias>
  __device__ void read_weights_early(const RowNorm<T>& norm, zl::i64 first, int count) {
    if constexpr (weights_early) {
#pragma unroll
      for (int v = 0; v < Vectors; ++v) {
        if (element(v) < count) read_weights<HasBias>(v, norm, first);
      }
    }
  }

  template <class Statistic>
  __device__ void add_to(Statistic& statistic, int count) const {
#pragma unroll
    for (int v = 0; v < Vectors; ++v) {
      if (element(v) < count) statistic.add(value[v]);
    }
  }

  /// `first`: the column of the piece's first element, which `to` points at.
  template <class Statistic>
  __device__ void write(T* to, int count, const Statistic& row, const RowNorm<T>& norm,
                        zl::i64 first) {
    const float scale = row.scale(static_cast<float>(norm.cols), norm.epsilon);
#pragma unroll
    for (int v = 0; v < Vectors; ++v) {
      if (element(v) < count) {
        if constexpr (!weights_early) read_weights<Statistic::centered>(v, norm, first);
#pragma unroll
        for (int i = 0; i < Width; ++i) {
          if constexpr (Statistic::centered) {
            value[v][i] = fmaf((value[v][i] - row.shift()) * scale, weight[v][i], bias[v][i]);
          } else {
            value[v][i] = value[v][i] * scale * weight[v][i];
          }
        }
        store(to + element(v), value[v]);
      }
    }
  }
};

/// A row a block: one pass.
template <class Statistic, class T, int Width, int Vectors, int Threads>
__global__ void __launch_bounds__(Threads) row_kernel(RowNorm<T> norm) {
  __shared__ Statistic scratch[32];
  const zl::i64 at = static_cast<zl::i64>(blockIdx.x) * norm.cols;
  const int count = static_cast<int>(norm.cols);
  Piece<T, Width, Vectors> piece;
  piece.read(norm.x + at, count);
  piece.template read_weights_early<Statistic::centered>(norm, 0, count);
  Statistic row = Statistic::nothing();
  piece.add_to(row, count);
  row = block_reduce(row, MergeStatistics{}, Statistic::nothing(), scratch);
  piece.write(norm.y + at, count, row, norm, 0);
}

/// Rows longer than blocks hold: read twice, the second time from L2 where the rows in work fit it.
template <class Statistic, class T, int Width, int Vectors>
__global__ void __launch_bounds__(1024) long_row_kernel(RowNorm<T> norm) {
  __shared__ Statistic scratch[32];
  const zl::i64 at = static_cast<zl::i64>(blockIdx.x) * norm.cols;
  const zl::i64 step = static_cast<zl::i64>(blockDim.x) * Width * Vectors;
  Piece<T, Width, Vectors> piece;
  Statistic row = Statistic::nothing();
  for (zl::i64 first = 0; first < norm.cols; first += step) {
    const int count = static_cast<int>(min(step, norm.cols - first));
    piece.read(norm.x + at + first, count);
    piece.add_to(row, count);
  }
  row = block_reduce(row, MergeStatistics{}, Statistic::nothing(), scratch);
  for (zl::i64 first = 0; first < norm.cols; first += step) {
    const int count = static_cast<int>(min(step, norm.cols - first));
    piece.read(norm.x + at + first, count);
    piece.template read_weights_early<Statistic::centered>(norm, first, count);
    piece.write(norm.y + at + first, count, row, norm, first);
  }
}

#ifndef ZL_BACKEND_MUSA  // no clusters there: such rows take long_row_kernel

inline constexpr int most_blocks = 8;  // the largest cluster that every device with clusters runs

/// A row a cluster of blocks, which exchange their parts through shared memory: one pass.
template <class Statistic, class T, int Width, int Vectors>
__global__ void __launch_bounds__(threads) cluster_kernel(RowNorm<T> norm) {
  __shared__ Statistic scratch[32];
  __shared__ Statistic parts[most_blocks];
  const auto cluster = cooperative_groups::this_cluster();
  auto arrival = cluster.barrier_arrive();  // the peers run: their shared memory may be written
  const int blocks = static_cast<int>(cluster.num_blocks());
  const int rank = static_cast<int>(cluster.block_rank());
  const int cols = static_cast<int>(norm.cols);
  const int chunk = (cols / Width + blocks - 1) / blocks * Width;
  const int first = min(rank * chunk, cols);
  const int count = min(chunk, cols - first);
  const zl::i64 at = static_cast<zl::i64>(blockIdx.x / blocks) * cols + first;
  Piece<T, Width, Vectors> piece;
  piece.read(norm.x + at, count);
  Statistic row = Statistic::nothing();
  piece.add_to(row, count);
  row = block_reduce(row, MergeStatistics{}, Statistic::nothing(), scratch);
  cluster.barrier_wait(std::move(arrival));
  if (static_cast<int>(threadIdx.x) < blocks) {
    *cluster.map_shared_rank(parts + rank, threadIdx.x) = row;
  }
  cluster.sync();
  row = Statistic::nothing();
  for (int i = 0; i < blocks; ++i) row = MergeStatistics{}(row, parts[i]);
  piece.write(norm.y + at, count, row, norm, first);
}

template <class Statistic, class T, int Width>
bool launch_cluster(zl::gpu::NativeStream stream, const RowNorm<T>& norm, zl::i64 rows, bool few) {
  constexpr zl::i64 held = zl::i64{threads} * most_per_thread;
  if (norm.cols > most_blocks * held) return false;
  unsigned blocks = 2;
  // Few rows: as many multiprocessors as there are, many: no more blocks than hold the row.
  while (blocks < most_blocks && (few || blocks * held < norm.cols)) blocks *= 2;
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim = {blocks, 1, 1};
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(rows) * blocks);
  config.blockDim = dim3(threads);
  config.stream = stream;
  config.attrs = &attribute;
  config.numAttrs = 1;
  zl::gpu::check(cudaLaunchKernelEx(
                     &config, cluster_kernel<Statistic, T, Width, most_per_thread / Width>, norm),
                 "row_norm cluster_kernel");
  return true;
}

#else

template <class Statistic, class T, int Width>
bool launch_cluster(zl::gpu::NativeStream, const RowNorm<T>&, zl::i64, bool) {
  return false;
}

#endif

template <class Statistic, class T, int Width, int PerThread, int Threads>
bool launch_row(zl::gpu::NativeStream stream, const RowNorm<T>& norm, zl::i64 rows) {
  if (norm.cols > PerThread * Threads) return false;
  const auto warps = static_cast<unsigned>((norm.cols + PerThread * 32 - 1) / (PerThread * 32));
  row_kernel<Statistic, T, Width, PerThread / Width, Threads>
      <<<static_cast<unsigned>(rows), 32 * warps, 0, stream>>>(norm);
  zl::gpu::check_launch("row_norm row_kernel");
  return true;
}

template <class Statistic, class T, int Width>
void launch(zl::gpu::NativeStream stream, const RowNorm<T>& norm, zl::i64 rows) {
  // Fewer than two a multiprocessor of a large device: more threads a row, and so less to wait for.
  const bool few = rows < 264;
  if ((few && launch_row<Statistic, T, Width, 8, 1024>(stream, norm, rows)) ||
      launch_row<Statistic, T, Width, 8, threads>(stream, norm, rows) ||
      launch_row<Statistic, T, Width, 16, threads>(stream, norm, rows) ||
      launch_row<Statistic, T, Width, most_per_thread, threads>(stream, norm, rows) ||
      launch_cluster<Statistic, T, Width>(stream, norm, rows, few)) {
    return;
  }
  long_row_kernel<Statistic, T, Width, 16 / Width>
      <<<static_cast<unsigned>(rows), 1024, 0, stream>>>(norm);
  zl::gpu::check_launch("row_norm long_row_kernel");
}

}  // namespace row_norm_detail

/// Enqueues `norm` for `rows` rows.
template <class Statistic, class T>
void enqueue_row_norm(zl::gpu::NativeStream stream, const RowNorm<T>& norm, zl::i64 rows) {
  if (rows == 0 || norm.cols == 0) return;
  // Without a bias its pointer is null, which is aligned.
  if (allows_vectors(norm.cols * static_cast<zl::i64>(sizeof(T)), norm.x, norm.y, norm.weight,
                     norm.bias)) {
    row_norm_detail::launch<Statistic, T, full_width<T>>(stream, norm, rows);
  } else {
    row_norm_detail::launch<Statistic, T, 1>(stream, norm, rows);
  }
}

}  // namespace ops
