#include "fused_add_rms_norm.hpp"
#include "shared/block_reduce.cuh"
#include "shared/vector.cuh"
#include "zl/gpu.hpp"
#include "zl/registry.hpp"

namespace ops {
namespace {

constexpr int most_threads = 1024;

struct Sum {
  __device__ float operator()(float a, float b) const { return a + b; }
};

template <class T>
struct Arguments {
  T* x;
  T* residual;
  const T* weight;
  float epsilon;
  zl::i64 cols;
};

__device__ float row_scale(float squares, float epsilon, zl::i64 cols) {
  __shared__ float scratch[32];
  const float total = block_reduce(squares, Sum{}, 0.0f, scratch);
  return rsqrtf(total / static_cast<float>(cols) + epsilon);
}

/// A row a block, held in registers: Vectors accesses of Width elements a thread.
template <class T, int Width, int Vectors>
__global__ void __launch_bounds__(most_threads) resident_kernel(Arguments<T> args) {
  T* const x = args.x + static_cast<zl::i64>(blockIdx.x) * args.cols;
  T* const residual = args.residual + static_cast<zl::i64>(blockIdx.x) * args.cols;
  const int cols = static_cast<int>(args.cols);
  const int first = static_cast<int>(threadIdx.x) * Width;
  const int step = static_cast<int>(blockDim.x) * Width;
  // In flight beside the row, where the registers for it suffice.
  constexpr bool weights_early = Width > 1;
  float sum[Vectors][Width];
  float other[Vectors][Width];
  float weight[Vectors][Width];
#pragma unroll
  for (int v = 0; v < Vectors; ++v) {
    const int j = first + v * step;
    if (j < cols) {
      load(sum[v], x + j);
      load(other[v], residual + j);
      if (weights_early) load(weight[v], args.weight + j);
    }
  }
  float squares = 0;
#pragma unroll
  for (int v = 0; v < Vectors; ++v) {
    const int j = first + v * step;
    if (j < cols) {
#pragma unroll
      for (int i = 0; i < Width; ++i) {
        sum[v][i] += other[v][i];
        squares += sum[v][i] * sum[v][i];
      }
      store(residual + j, sum[v]);
    }
  }
  const float scale = row_scale(squares, args.epsilon, args.cols);
#pragma unroll
  for (int v = 0; v < Vectors; ++v) {
    const int j = first + v * step;
    if (j < cols) {
      if (!weights_early) load(weight[v], args.weight + j);
#pragma unroll
      for (int i = 0; i < Width; ++i) sum[v][i] *= scale * weight[v][i];
      store(x + j, sum[v]);
    }
  }
}

/// Rows that do not fit a block's registers: the sums are read back from the residual.
template <class T, int Width>
__global__ void __launch_bounds__(most_threads) long_row_kernel(Arguments<T> args) {
  T* const x = args.x + static_cast<zl::i64>(blockIdx.x) * args.cols;
  T* const residual = args.residual + static_cast<zl::i64>(blockIdx.x) * args.cols;
  const zl::i64 first = static_cast<zl::i64>(threadIdx.x) * Width;
  const zl::i64 step = static_cast<zl::i64>(blockDim.x) * Width;
  float squares = 0;
  for (zl::i64 j = first; j < args.cols; j += step) {
    float sum[Width];
    float other[Width];
    load(sum, x + j);
    load(other, residual + j);
#pragma unroll
    for (int i = 0; i < Width; ++i) {
      sum[i] += other[i];
      squares += sum[i] * sum[i];
    }
    store(residual + j, sum);
  }
  const float scale = row_scale(squares, args.epsilon, args.cols);
  for (zl::i64 j = first; j < args.cols; j += step) {
    float sum[Width];
    float weight[Width];
    load(sum, residual + j);
    load(weight, args.weight + j);
#pragma unroll
    for (int i = 0; i < Width; ++i) sum[i] *= scale * weight[i];
    store(x + j, sum);
  }
}

template <class T, int Width>
void launch(zl::gpu::NativeStream stream, const Arguments<T>& args, unsigned rows) {
  constexpr int per_thread = 8;
  if (args.cols <= per_thread * most_threads) {
    const auto warps = static_cast<unsigned>((args.cols + per_thread * 32 - 1) / (per_thread * 32));
    resident_kernel<T, Width, per_thread / Width><<<rows, 32 * warps, 0, stream>>>(args);
  } else {
    long_row_kernel<T, Width><<<rows, most_threads, 0, stream>>>(args);
  }
  zl::gpu::check_launch("fused_add_rms_norm kernel");
}

}  // namespace

template <class T>
void fused_add_rms_norm(zl::Stream stream, T* x, T* residual, const T* weight, double epsilon,
                        zl::i64 rows, zl::i64 cols) {
  if (rows == 0 || cols == 0) return;
  const Arguments<T> args{x, residual, weight, static_cast<float>(epsilon), cols};
  const auto blocks = static_cast<unsigned>(rows);
  if (allows_vectors(cols * static_cast<zl::i64>(sizeof(T)), x, residual, weight)) {
    launch<T, full_width<T>>(stream, args, blocks);
  } else {
    launch<T, 1>(stream, args, blocks);
  }
}

ZL_INSTANTIATE(fused_add_rms_norm)

}  // namespace ops
