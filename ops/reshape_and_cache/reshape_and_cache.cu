#include "reshape_and_cache.hpp"
#include "shared/vector.cuh"
#include "zl/gpu.hpp"
#include "zl/registry.hpp"

namespace ops {
namespace {

constexpr int threads = 128;

template <class T>
struct Arguments {
  T* key_cache;
  T* value_cache;
  const T* key;
  const T* value;
  const zl::i64* slots;
  zl::i64 vectors;  ///< of one token, all heads
  zl::i64 block;
};

/// Block (t, c) stores part c of token t, a vector of its key and one of its value a thread. A
/// vector of the key is contiguous in its cache; of the value no two elements are.
template <class T, bool Aligned>
__global__ void __launch_bounds__(threads) reshape_and_cache_kernel(Arguments<T> args) {
  constexpr int width = full_width<T>;
  const zl::i64 slot = args.slots[blockIdx.x];
  if (slot < 0) return;
  const zl::i64 page = slot / args.block * args.vectors * args.block * width;
  const zl::i64 offset = slot % args.block;
  const zl::i64 token = static_cast<zl::i64>(blockIdx.x) * args.vectors * width;
  const zl::i64 step = static_cast<zl::i64>(gridDim.y) * threads;
  for (zl::i64 v = static_cast<zl::i64>(blockIdx.y) * threads + threadIdx.x; v < args.vectors;
       v += step) {
    T value[width];
    T* const to_key = args.key_cache + page + (v * args.block + offset) * width;
    T* const to_value = args.value_cache + page + v * width * args.block + offset;
    if constexpr (Aligned) {
      const uint4 raw_key = *reinterpret_cast<const uint4*>(args.key + token + v * width);
      const uint4 raw_value = *reinterpret_cast<const uint4*>(args.value + token + v * width);
      *reinterpret_cast<uint4*>(to_key) = raw_key;
      memcpy(value, &raw_value, sizeof(raw_value));
    } else {
      T key[width];
#pragma unroll
      for (int i = 0; i < width; ++i) {
        key[i] = args.key[token + v * width + i];
        value[i] = args.value[token + v * width + i];
      }
#pragma unroll
      for (int i = 0; i < width; ++i) to_key[i] = key[i];
    }
#pragma unroll
    for (int i = 0; i < width; ++i) to_value[i * args.block] = value[i];
  }
}

}  // namespace

template <class T>
void reshape_and_cache(zl::Stream stream, T* key_cache, T* value_cache, const T* key,
                       const T* value, const zl::i64* slots, CacheShape shape) {
  constexpr zl::i64 most_parts = 65535;
  static_assert(key_vector<T> == full_width<T>);
  const Arguments<T> args{key_cache,  value_cache, key,
                          value,      slots,       shape.heads * shape.dim / key_vector<T>,
                          shape.block};
  if (shape.tokens == 0 || args.vectors == 0) return;
  const zl::i64 parts = (args.vectors + threads - 1) / threads;
  const dim3 grid(static_cast<unsigned>(shape.tokens),
                  static_cast<unsigned>(parts < most_parts ? parts : most_parts));
  const zl::gpu::NativeStream on = stream;
  if (allows_vectors(0, key_cache, key, value)) {
    reshape_and_cache_kernel<T, true><<<grid, threads, 0, on>>>(args);
  } else {
    reshape_and_cache_kernel<T, false><<<grid, threads, 0, on>>>(args);
  }
  zl::gpu::check_launch("reshape_and_cache_kernel");
}

ZL_INSTANTIATE(reshape_and_cache)

}  // namespace ops
