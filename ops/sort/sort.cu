#include <algorithm>
#include <utility>

#include "merge_tile.cuh"
#include "sort.hpp"
#include "zl/gpu.hpp"
#include "zl/registry.hpp"

namespace ops {
namespace {

/// Block (r, c) sorts chunk c of row r.
template <class T, int Threads, int Items>
__global__ void __launch_bounds__(Threads)
    chunk_kernel(T* __restrict__ y, const T* __restrict__ x, zl::i64 cols, zl::i64 tiles) {
  using Tile = MergeTile<Threads, Items>;
  __shared__ std::uint32_t keys[Tile::words];
  const zl::i64 row = static_cast<zl::i64>(blockIdx.x) / tiles;
  const zl::i64 first = static_cast<zl::i64>(blockIdx.x) % tiles * Tile::keys;
  const int count = static_cast<int>(min(cols - first, static_cast<zl::i64>(Tile::keys)));
  const zl::i64 at = row * cols + first;
  Tile::read(keys, 0, x + at, count);
  Tile::pad(keys, count);
  __syncthreads();
  std::uint32_t mine[Items];
  Tile::take(mine, keys);
  sort_in_thread(mine);
  for (int run = Items; run < Tile::keys; run *= 2) {
    __syncthreads();  // all have taken theirs
    Tile::put(keys, mine);
    __syncthreads();
    const int start = static_cast<int>(threadIdx.x) * Items / (2 * run) * (2 * run);
    Tile::merge(mine, keys, start, run, run, static_cast<int>(threadIdx.x) * Items - start);
  }
  __syncthreads();
  Tile::put(keys, mine);
  __syncthreads();
  Tile::write(y + at, keys, count);
}

/// Block (r, c) writes tile c of row r, in which sorted runs of `run` elements, a multiple of a
/// tile, are merged in pairs.
template <class T, int Threads, int Items>
__global__ void __launch_bounds__(Threads) merge_kernel(T* __restrict__ y, const T* __restrict__ x,
                                                        zl::i64 cols, zl::i64 tiles, zl::i64 run) {
  using Tile = MergeTile<Threads, Items>;
  __shared__ std::uint32_t keys[Tile::words];
  __shared__ zl::i64 split[2];
  const zl::i64 row = static_cast<zl::i64>(blockIdx.x) / tiles;
  const zl::i64 first = static_cast<zl::i64>(blockIdx.x) % tiles * Tile::keys;
  const int count = static_cast<int>(min(cols - first, static_cast<zl::i64>(Tile::keys)));
  const zl::i64 pair = first / (2 * run) * (2 * run);
  const zl::i64 a_count = min(run, cols - pair);
  const zl::i64 b_count = min(run, cols - pair - a_count);
  const T* const a = x + row * cols + pair;
  const T* const b = a + a_count;
  if (threadIdx.x < 2) {
    split[threadIdx.x] =
        merge_path([a](zl::i64 i) { return to_ordered(a[i]); }, a_count,
                   [b](zl::i64 i) { return to_ordered(b[i]); }, b_count,
                   first - pair + (threadIdx.x == 0 ? zl::i64{0} : zl::i64{count}));
  }
  __syncthreads();
  const int from_a = static_cast<int>(split[1] - split[0]);
  const int from_b = count - from_a;
  Tile::read(keys, 0, a + split[0], from_a);
  Tile::read(keys, from_a, b + (first - pair - split[0]), from_b);
  Tile::pad(keys, count);
  __syncthreads();
  std::uint32_t mine[Items];
  // The padding belongs to the second run: it is not less than any key.
  Tile::merge(mine, keys, 0, from_a, Tile::keys - from_a, static_cast<int>(threadIdx.x) * Items);
  __syncthreads();
  Tile::put(keys, mine);
  __syncthreads();
  Tile::write(y + row * cols + first, keys, count);
}

template <int Threads, int Items, class T>
void launch(zl::gpu::NativeStream stream, T* y, T* spare, const T* x, zl::i64 rows, zl::i64 cols) {
  constexpr zl::i64 tile = Threads * Items;
  const zl::i64 tiles = (cols + tile - 1) / tile;
  const auto blocks = static_cast<unsigned>(rows * tiles);
  int merges = 0;
  for (zl::i64 run = tile; run < cols; run *= 2) ++merges;
  T* to = merges % 2 == 0 ? y : spare;
  T* other = merges % 2 == 0 ? spare : y;
  chunk_kernel<T, Threads, Items><<<blocks, Threads, 0, stream>>>(to, x, cols, tiles);
  zl::gpu::check_launch("sort chunk_kernel");
  for (zl::i64 run = tile; run < cols; run *= 2) {
    std::swap(to, other);
    merge_kernel<T, Threads, Items><<<blocks, Threads, 0, stream>>>(to, other, cols, tiles, run);
    zl::gpu::check_launch("sort merge_kernel");
  }
}

}  // namespace

template <class T>
void sort(zl::Stream stream, T* y, const T* x, zl::u8* workspace, zl::i64 rows, zl::i64 cols) {
  if (rows == 0 || cols == 0) return;
  T* const spare = reinterpret_cast<T*>(workspace);
  if (cols <= 256) {
    launch<32, 8>(stream, y, spare, x, rows, cols);
  } else if (cols <= 1024) {
    launch<128, 8>(stream, y, spare, x, rows, cols);
  } else if (cols <= 4096) {
    launch<256, 16>(stream, y, spare, x, rows, cols);
  } else {
    static_assert(512 * 16 == sorted_at_once);
    launch<512, 16>(stream, y, spare, x, rows, cols);
  }
}

ZL_INSTANTIATE(sort)

}  // namespace ops
