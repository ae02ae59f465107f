#include "cumsum.hpp"
#include "shared/row_sum.cuh"
#include "zl/registry.hpp"

namespace ops {
namespace {

constexpr int most_warps = 8;
constexpr int per_thread = 16;

/// The sum over the lanes up to this one.
template <class Sum>
__device__ Sum scan_lanes(Sum value) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
#pragma unroll
  for (int distance = 1; distance < 32; distance *= 2) {
    const Sum before = __shfl_up_sync(0xFFFFFFFFu, value, distance, 32);
    if (lane >= distance) value += before;
  }
  return value;
}

/// Consecutive elements, which a warp holds: access v of lane l is the (32 v + l)th. No difference
/// of sums is taken anywhere, so that an infinity reaches only what comes after it.
template <class T, int Width, int Vectors>
struct Segment {
  using Sum = Accumulator<T>;
  static constexpr int length = 32 * Width * Vectors;
  Sum value[Vectors][Width];

  __device__ static int element(int v) {
    return (v * 32 + static_cast<int>(threadIdx.x) % 32) * Width;
  }

  __device__ void read(const T* from, zl::i64 count) {
#pragma unroll
    for (int v = 0; v < Vectors; ++v) {
#pragma unroll
      for (int i = 0; i < Width; ++i) value[v][i] = 0;
      if (element(v) < count) load(value[v], from + element(v));
    }
  }

  /// Turns the elements into their sums from the segment's start; the whole sum is returned.
  __device__ Sum scan() {
    Sum carry = 0;
#pragma unroll
    for (int v = 0; v < Vectors; ++v) {
#pragma unroll
      for (int i = 1; i < Width; ++i) value[v][i] += value[v][i - 1];
      const Sum up_to = scan_lanes(value[v][Width - 1]);
      const Sum last = __shfl_sync(0xFFFFFFFFu, up_to, 31, 32);
      Sum before = __shfl_up_sync(0xFFFFFFFFu, up_to, 1, 32);
      if (threadIdx.x % 32 == 0) before = 0;
      before += carry;
#pragma unroll
      for (int i = 0; i < Width; ++i) value[v][i] += before;
      carry += last;
    }
    return carry;
  }

  __device__ void write(T* to, zl::i64 count, Sum before) {
#pragma unroll
    for (int v = 0; v < Vectors; ++v) {
      if (element(v) < count) {
#pragma unroll
        for (int i = 0; i < Width; ++i) value[v][i] += before;
        store(to + element(v), value[v]);
      }
    }
  }
};

/// The sum of the parts of this row before this block's.
template <class Sum>
__device__ Sum sum_of_parts_before(const Sum* partial) {
  __shared__ Sum scratch[32];
  const Sum* const row = partial + static_cast<zl::i64>(blockIdx.x) * gridDim.y;
  Sum sum = 0;
  for (unsigned p = threadIdx.x; p < blockIdx.y; p += blockDim.x) sum += row[p];
  return block_reduce(sum, Add{}, Sum{}, scratch);
}

/// Block (r, p) scans part p of row r, chunk by chunk, a segment a warp. `partial` has the sums of
/// the parts where there are several.
template <class T, int Width>
__global__ void __launch_bounds__(32 * most_warps)
    cumsum_kernel(T* y, const T* x, const Accumulator<T>* partial, zl::i64 cols, zl::i64 part) {
  using Sum = Accumulator<T>;
  using Piece = Segment<T, Width, per_thread / Width>;
  // Two, so that one barrier a chunk is enough: who writes the totals of the next chunk may be
  // ahead of who reads this one's, but not by two chunks.
  __shared__ Sum totals[2][most_warps];
  const int warps = static_cast<int>(blockDim.x) / 32;
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const zl::i64 first = blockIdx.y * part;
  const zl::i64 count = min(part, cols - first);
  const zl::i64 at = static_cast<zl::i64>(blockIdx.x) * cols + first;
  Sum carry = 0;
  if (gridDim.y > 1) carry = sum_of_parts_before(partial);
  int now = 0;
  for (zl::i64 chunk = 0; chunk < count; chunk += warps * Piece::length, now ^= 1) {
    const zl::i64 start = chunk + warp * Piece::length;
    Piece piece;
    piece.read(x + at + start, count - start);
    const Sum total = piece.scan();
    if (threadIdx.x % 32 == 0) totals[now][warp] = total;
    __syncthreads();
    Sum before = carry;
    for (int w = 0; w < warps; ++w) {
      if (w == warp) before = carry;
      carry += totals[now][w];
    }
    piece.write(y + at + start, count - start, before);
  }
}

template <int Width, class T>
void launch(zl::gpu::NativeStream stream, T* y, const T* x, const Accumulator<T>* partial,
            zl::i64 rows, zl::i64 cols, RowParts parts) {
  constexpr zl::i64 per_warp = 32 * per_thread;
  const auto warps = std::min((parts.length + per_warp - 1) / per_warp, zl::i64{most_warps});
  const dim3 grid(static_cast<unsigned>(rows), static_cast<unsigned>(parts.count));
  cumsum_kernel<T, Width>
      <<<grid, static_cast<unsigned>(32 * warps), 0, stream>>>(y, x, partial, cols, parts.length);
  zl::gpu::check_launch("cumsum_kernel");
}

}  // namespace

template <class T>
void cumsum(zl::Stream stream, T* y, const T* x, zl::u8* workspace, zl::i64 rows, zl::i64 cols) {
  if (rows == 0 || cols == 0) return;
  const RowParts parts = row_parts(rows, cols);
  const auto partial = reinterpret_cast<Accumulator<T>*>(workspace);
  if (parts.count > 1) enqueue_row_sums(stream, partial, x, rows, cols, parts);
  if (allows_vectors(cols * static_cast<zl::i64>(sizeof(T)), y, x)) {
    launch<full_width<T>>(stream, y, x, partial, rows, cols, parts);
  } else {
    launch<1>(stream, y, x, partial, rows, cols, parts);
  }
}

ZL_INSTANTIATE(cumsum)

}  // namespace ops
