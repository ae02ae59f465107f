#pragma once

#include "shared/block_reduce.cuh"
#include "shared/matmul/shape.cuh"

namespace ops {

/// A group's operands: `rows` rows from row `first` on, matrix `g` of several one after the other.
template <class T>
__device__ Matrix<T> rows_from(const Matrix<T>& a, int first, int rows) {
  return {a.row(first), rows, a.cols};
}
template <class T>
__device__ Gathered<T> rows_from(const Gathered<T>& a, int first, int rows) {
  return {a.data, a.index + first, rows, a.cols};
}
template <class T>
__device__ T* output_from(T* c, int first, int cols) {
  return c + zl::i64{first} * cols;
}
template <class T>
__device__ Scattered<T> output_from(const Scattered<T>& c, int first, int) {
  return {c.data, c.index + first, c.factor};
}
template <class T>
__device__ Matrix<T> group_matrix(const Matrix<T>& b, int g) {
  return {b.data + zl::i64{g} * b.rows * b.cols, b.rows, b.cols};
}
template <class T>
__device__ TransposedMatrix<T> group_matrix(const TransposedMatrix<T>& b, int g) {
  return {group_matrix(b.stored, g)};
}

/// The group whose tile it is, and which of its tiles; a block past the last one has no group.
struct GroupTile {
  int group;  ///< groups: none
  unsigned tile;
};

/// Tile `tile` of all groups' tiles, in turn: group g has tile rows of block_m rows for its rows
/// [offsets[g], offsets[g + 1]), each of `tiles_n` tiles. Each 32 threads of the block find it for
/// themselves, 32 groups at a time.
inline __device__ GroupTile find_tile(const zl::i32* offsets, int groups, unsigned tile,
                                      int block_m, unsigned tiles_n) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  for (int first = 0; first < groups; first += 32) {
    const int g = first + lane;
    unsigned end = 0;  // tiles of this and the lanes before
    if (g < groups) {
      const auto rows = static_cast<unsigned>(offsets[g + 1] - offsets[g]);
      end = (rows + static_cast<unsigned>(block_m) - 1) / static_cast<unsigned>(block_m) * tiles_n;
    }
    for (int step = 1; step < 32; step *= 2) {
      const unsigned before = __shfl_up_sync(0xFFFFFFFFu, end, static_cast<unsigned>(step), 32);
      if (lane >= step) end += before;
    }
    int passed = end <= tile ? 1 : 0;  // groups that end before the tile
    for (int mask = 16; mask > 0; mask /= 2) passed += shuffle_xor(passed, mask);
    const unsigned start = __shfl_sync(0xFFFFFFFFu, end, passed > 0 ? passed - 1 : 0, 32);
    if (passed < 32) return {first + passed, passed > 0 ? tile - start : tile};
    tile -= start;
  }
  return {groups, 0};
}

/// c = a b for each group: its rows of a and of c, and its own matrix of b. One launch for all; the
/// rows of a group are known on the device only.
template <class S, bool Aligned, class C, class A, class B>
__global__ void __launch_bounds__(S::threads, Aligned ? S::blocks_per_sm : 1)
    grouped_kernel(C c, A a, B b, const zl::i32* offsets, int groups) {
  const int cols = columns(b);
  const auto tiles_n = static_cast<unsigned>((cols + S::block_n - 1) / S::block_n);
  const GroupTile at = find_tile(offsets, groups, blockIdx.x, S::block_m, tiles_n);
  if (at.group >= groups) return;
  const int first = offsets[at.group];
  const int rows = offsets[at.group + 1] - first;
  const TileOrigin origin = tile_origin(at.tile, rows, cols, S::block_m, S::block_n);
  S::template product<Aligned>(output_from(c, first, cols), rows_from(a, first, rows),
                               group_matrix(b, at.group), origin);
}

/// Launches it for `rows` rows in all and b of `cols` columns. The shape is that for groups of
/// equal size; small groups do not get large tiles, which would multiply mostly zeros.
template <class T, class C, class A, class B>
void launch_grouped(zl::gpu::NativeStream stream, const C& c, const A& a, const B& b,
                    const zl::i32* offsets, zl::i64 rows, zl::i64 cols, zl::i64 groups,
                    bool aligned) {
  const auto launch = [&](auto shape) {
    using S = decltype(shape);
    // Each group's last tile row may be a part of one.
    const zl::i64 tile_rows = std::min(rows / S::block_m + groups, rows);
    const zl::i64 blocks = tile_rows * ((cols + S::block_n - 1) / S::block_n);
    if (blocks > INT_MAX) throw zl::Error(zl::Errc::usage, "grouped product: too many tiles");
    launch_product<S, B>(
        stream, dim3(static_cast<unsigned>(blocks)),
        aligned ? grouped_kernel<S, true, C, A, B> : grouped_kernel<S, false, C, A, B>, c, a, b,
        offsets, static_cast<int>(groups));
  };
  using Medium = typename Shapes<T>::Medium;
  using Flat = typename Shapes<T>::Flat;
  const zl::i64 mean = (rows + groups - 1) / groups;
  if (mean > Flat::block_m && mean <= Medium::block_m) {
    launch(Medium{});
  } else {
    with_shape<T>(mean, cols, groups, launch);
  }
}

}  // namespace ops
