#include "per_token_group_quant_fp8.hpp"
#include "shared/block_reduce.cuh"
#include "shared/vector.cuh"
#include "zl/float_bits.hpp"
#include "zl/gpu.hpp"
#include "zl/registry.hpp"

#ifndef ZL_BACKEND_MUSA
#include <cuda_fp8.h>
#endif

namespace ops {
namespace {

constexpr int threads = 256;

template <class T, class Q>
struct Arguments {
  Q* q;
  float* scale;
  const T* x;
  zl::i64 groups;  ///< of all tokens: no group reaches into the next token
  zl::i64 group;
};

/// Two values within +-448 as e4m3, the first in the lower byte.
__device__ std::uint32_t to_e4m3_pair(float first, float second) {
#ifdef ZL_BACKEND_MUSA
  return zl::bits::to_e4m3(first) | static_cast<std::uint32_t>(zl::bits::to_e4m3(second)) << 8;
#else
  return __nv_cvt_float2_to_fp8x2(make_float2(first, second), __NV_SATFINITE, __NV_E4M3);
#endif
}

/// The largest of `Lanes` neighbouring lanes.
template <int Lanes>
__device__ float largest_of(float value) {
#pragma unroll
  for (int mask = Lanes / 2; mask > 0; mask /= 2) value = fmaxf(value, shuffle_xor(value, mask));
  return value;
}

/// A group is held by `Lanes` neighbouring lanes, `Vectors` 16-byte accesses each.
template <class T, class Q, int Lanes, int Vectors>
__global__ void __launch_bounds__(threads) resident_kernel(Arguments<T, Q> args) {
  constexpr int width = full_width<T>;
  static_assert(width == 8 && sizeof(Q) == 1);
  constexpr int group = Lanes * Vectors * width;
  constexpr int per_block = threads / Lanes;
  const int lane = static_cast<int>(threadIdx.x) % Lanes;
  const zl::i64 g = static_cast<zl::i64>(blockIdx.x) * per_block + threadIdx.x / Lanes;
  const bool inside = g < args.groups;  // lanes outside take part in the shuffles
  const zl::i64 at = g * group + lane * width;
  float value[Vectors][width];
  float largest = smallest_maximum;
#pragma unroll
  for (int v = 0; v < Vectors; ++v) {
    if (inside) load(value[v], args.x + at + v * (Lanes * width));
  }
#pragma unroll
  for (int v = 0; v < Vectors; ++v) {
#pragma unroll
    for (int i = 0; i < width; ++i) {
      if (inside) largest = fmaxf(largest, fabsf(value[v][i]));
    }
  }
  largest = largest_of<Lanes>(largest);
  if (!inside) return;
  if (lane == 0) args.scale[g] = largest / largest_e4m3;
  // One division a lane, not one an element; it is inexact in binary32's last places.
  const float inverse = largest_e4m3 / largest;
#pragma unroll
  for (int v = 0; v < Vectors; ++v) {
    std::uint32_t word[2] = {};
#pragma unroll
    for (int i = 0; i < width; i += 2) {
      word[i / 4] |= to_e4m3_pair(value[v][i] * inverse, value[v][i + 1] * inverse) << (i % 4 * 8);
    }
    *reinterpret_cast<uint2*>(args.q + at + v * (Lanes * width)) = make_uint2(word[0], word[1]);
  }
}

/// Any group at any address: 32 lanes read it twice.
template <class T, class Q>
__global__ void __launch_bounds__(threads) any_group_kernel(Arguments<T, Q> args) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const zl::i64 g = static_cast<zl::i64>(blockIdx.x) * (threads / 32) + threadIdx.x / 32;
  if (g >= args.groups) return;  // all 32 lanes do
  const T* const x = args.x + g * args.group;
  float largest = smallest_maximum;
  for (zl::i64 i = lane; i < args.group; i += 32) largest = fmaxf(largest, fabsf(widen(x[i])));
  const float scale = largest_of<32>(largest) / largest_e4m3;
  if (lane == 0) args.scale[g] = scale;
  for (zl::i64 i = lane; i < args.group; i += 32) {
    args.q[g * args.group + i].bits =
        static_cast<std::uint8_t>(to_e4m3_pair(widen(x[i]) / scale, 0));
  }
}

unsigned blocks_for(zl::i64 groups, int per_block) {
  return static_cast<unsigned>((groups + per_block - 1) / per_block);
}

template <int Lanes, int Vectors, class T, class Q>
void launch_resident(zl::gpu::NativeStream stream, const Arguments<T, Q>& args) {
  resident_kernel<T, Q, Lanes, Vectors>
      <<<blocks_for(args.groups, threads / Lanes), threads, 0, stream>>>(args);
}

/// False where no instance is for the group.
template <class T, class Q>
bool launch_resident(zl::gpu::NativeStream stream, const Arguments<T, Q>& args) {
  switch (args.group) {
    case 8:
      launch_resident<1, 1>(stream, args);
      return true;
    case 16:
      launch_resident<2, 1>(stream, args);
      return true;
    case 32:
      launch_resident<2, 2>(stream, args);
      return true;
    case 64:
      launch_resident<4, 2>(stream, args);
      return true;
    case 128:
      launch_resident<8, 2>(stream, args);
      return true;
    case 256:
      launch_resident<16, 2>(stream, args);
      return true;
    case 512:
      launch_resident<32, 2>(stream, args);
      return true;
    case 1024:
      launch_resident<32, 4>(stream, args);
      return true;
    default:
      return false;
  }
}

}  // namespace

template <class T, class Q>
void per_token_group_quant_fp8(zl::Stream stream, Q* q, float* scale, const T* x, zl::i64 tokens,
                               zl::i64 dim, zl::i64 group) {
  if (tokens == 0 || dim == 0) return;
  const Arguments<T, Q> args{q, scale, x, tokens * (dim / group), group};
  // A group's 16-byte accesses of x are 8-byte ones of q.
  if (!allows_vectors(0, q, x) || !launch_resident(stream, args)) {
    any_group_kernel<T, Q>
        <<<blocks_for(args.groups, threads / 32), threads, 0, zl::gpu::NativeStream(stream)>>>(
            args);
  }
  zl::gpu::check_launch("per_token_group_quant_fp8 kernel");
}

ZL_INSTANTIATE(per_token_group_quant_fp8)

}  // namespace ops
