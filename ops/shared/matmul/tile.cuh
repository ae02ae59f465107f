#pragma once

#include "shared/dtype.cuh"

namespace ops {

/// A row-major matrix in device memory.
template <class T>
struct Matrix {
  using Element = T;
  const T* data;
  int rows;
  int cols;

  __device__ const T* row(int r) const { return data + zl::i64{r} * cols; }
};

/// A right operand b[k][n] that is stored as its transpose: rows of k elements, as a layer's
/// weights are.
template <class T>
struct TransposedMatrix {
  using Element = T;
  Matrix<T> stored;  ///< n rows, k columns
};

/// Row r is row `index[r]` of a matrix of `cols` columns: the tokens of one expert.
template <class T>
struct Gathered {
  using Element = T;
  const T* data;
  const zl::i32* index;
  int rows;
  int cols;

  __device__ const T* row(int r) const { return data + zl::i64{index[r]} * cols; }
};

template <class T>
__device__ int columns(const Matrix<T>& b) {
  return b.cols;
}
template <class T>
__device__ int columns(const TransposedMatrix<T>& b) {
  return b.stored.rows;
}

/// A row of the result: where it goes, and what it is multiplied by before it is rounded.
template <class T>
struct OutputRow {
  T* to;
  float factor;
};

/// A result whose row r is row `index[r]` of a matrix, times `factor[index[r]]`.
template <class T>
struct Scattered {
  T* data;
  const zl::i32* index;
  const float* factor;
};

template <class T>
__device__ OutputRow<T> output_row(T* c, int row, int cols) {
  return {c + zl::i64{row} * cols, 1.0f};
}
template <class T>
__device__ OutputRow<T> output_row(const Scattered<T>& c, int row, int cols) {
  const int to = c.index[row];
  return {c.data + zl::i64{to} * cols, c.factor[to]};
}

#ifdef ZL_BACKEND_MUSA

// No asynchronous copies: the pipeline's barrier is all that the copies need.
__device__ inline void copy_async(void* to, const void* from, bool valid) {
  *static_cast<uint4*>(to) = valid ? *static_cast<const uint4*>(from) : make_uint4(0, 0, 0, 0);
}
__device__ inline void commit_copies() {}
template <int Pending>
__device__ void wait_for_copies() {}

#else

/// Starts to copy 16 bytes to shared memory, or fills them with zeros.
__device__ inline void copy_async(void* to, const void* from, bool valid) {
  const auto address = static_cast<std::uint32_t>(__cvta_generic_to_shared(to));
  const int bytes = valid ? 16 : 0;
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;\n" ::"r"(address), "l"(from),
               "r"(bytes)
               : "memory");
}
__device__ inline void commit_copies() { asm volatile("cp.async.commit_group;\n" ::: "memory"); }
/// Waits until at most Pending of this thread's latest groups are unfinished.
template <int Pending>
__device__ void wait_for_copies() {
  asm volatile("cp.async.wait_group %0;\n" ::"n"(Pending) : "memory");
}

#endif

/// A Rows x Cols tile in shared memory. Rows are 16 bytes longer than their elements, so that
/// eight rows' accesses of 16 bytes fall into different banks.
template <class T, int Rows, int Cols>
struct Tile {
  static constexpr int width = 16 / static_cast<int>(sizeof(T));  ///< elements of one access
  static constexpr int stride = Cols + width;
  static constexpr int elements = Rows * stride;
  static_assert(Cols % width == 0);

  /// Starts to fill the tile from `matrix` at (row0, col0); zeros outside of it. Aligned: rows
  /// start and end at multiples of 16 bytes.
  template <bool Aligned, int Threads, class M>
  __device__ static void fill(T* tile, const M& matrix, int row0, int col0) {
    constexpr int accesses_per_row = Cols / width;
    constexpr int accesses = Rows * accesses_per_row;
#pragma unroll
    for (int i = 0; i < (accesses + Threads - 1) / Threads; ++i) {
      const int access = static_cast<int>(threadIdx.x) + i * Threads;
      if (accesses % Threads != 0 && access >= accesses) break;
      const int row = access / accesses_per_row;
      const int col = access % accesses_per_row * width;
      const int from_row = row0 + row;
      const int from_col = col0 + col;
      T* const to = tile + row * stride + col;
      if constexpr (Aligned) {
        const bool valid = from_row < matrix.rows && from_col < matrix.cols;
        copy_async(to, valid ? matrix.row(from_row) + from_col : matrix.data, valid);
      } else {
#pragma unroll
        for (int j = 0; j < width; ++j) {
          const bool valid = from_row < matrix.rows && from_col + j < matrix.cols;
          to[j] = valid ? matrix.row(from_row)[from_col + j] : T{};
        }
      }
    }
  }
};

template <class B>
inline constexpr bool is_transposed = false;
template <class T>
inline constexpr bool is_transposed<TransposedMatrix<T>> = true;

/// A right operand's Depth x Columns tile, as its rows are stored.
template <class B, int Depth, int Columns>
using RightTile = Tile<typename B::Element, is_transposed<B> ? Columns : Depth,
                       is_transposed<B> ? Depth : Columns>;

/// The part of a right operand that a stage needs, from row k0 and column col0 on.
template <bool Aligned, int Threads, class Tile, class T>
__device__ void fill_right(T* tile, const Matrix<T>& b, int k0, int col0) {
  Tile::template fill<Aligned, Threads>(tile, b, k0, col0);
}
template <bool Aligned, int Threads, class Tile, class T>
__device__ void fill_right(T* tile, const TransposedMatrix<T>& b, int k0, int col0) {
  Tile::template fill<Aligned, Threads>(tile, b.stored, col0, k0);
}

/// Runs `compute(a tile, b tile)` over tiles [first, last) along k, `Stages` - 1 of them under way
/// ahead.
template <class TileA, class TileB, bool Aligned, int Threads, int Stages, class T, class A,
          class B, class Compute>
__device__ void pipeline(T* shared, const A& a, const B& b, int row0, int col0, int depth,
                         int first, int last, Compute compute) {
  constexpr int stage = TileA::elements + TileB::elements;
  const auto fill = [&](int tile) {
    if (tile < last) {
      T* const to = shared + (tile - first) % Stages * stage;
      TileA::template fill<Aligned, Threads>(to, a, row0, tile * depth);
      fill_right<Aligned, Threads, TileB>(to + TileA::elements, b, tile * depth, col0);
    }
    commit_copies();
  };
  for (int tile = first; tile < first + Stages - 1; ++tile) fill(tile);
  for (int tile = first; tile < last; ++tile) {
    wait_for_copies<Stages - 2>();
    // This tile has arrived for all threads, and all have left the stage that is filled next.
    __syncthreads();
    fill(tile + Stages - 1);
    const T* const from = shared + (tile - first) % Stages * stage;
    compute(from, from + TileA::elements);
  }
}

/// Where output tile `tile` starts, which is blockIdx.x of a plain product. Blocks that run at the
/// same time share rows and columns: eight block rows are walked down before the next block column.
struct TileOrigin {
  int row;
  int col;
};
__device__ inline TileOrigin tile_origin(unsigned tile, int m, int n, int tile_m, int tile_n) {
  constexpr unsigned group = 8;
  const auto block_rows = static_cast<unsigned>((m + tile_m - 1) / tile_m);
  const auto block_cols = static_cast<unsigned>((n + tile_n - 1) / tile_n);
  const unsigned first_row = tile / (group * block_cols) * group;
  const unsigned rows = min(group, block_rows - first_row);
  const unsigned within = tile % (group * block_cols);
  return {static_cast<int>(first_row + within % rows) * tile_m,
          static_cast<int>(within / rows) * tile_n};
}

}  // namespace ops
