#include "fp8_plain.cuh"
#include "fp8_tensor.cuh"
#include "shared/matmul/extents.hpp"
#include "shared/vector.cuh"
#include "w8a8_block_fp8_mm.hpp"
#include "zl/gpu.hpp"
#include "zl/registry.hpp"

namespace ops {
namespace {

unsigned blocks(zl::i64 extent, int block) {
  return static_cast<unsigned>((extent + block - 1) / block);
}

void launch_plain(zl::gpu::NativeStream stream, const Fp8Call& call) {
  const dim3 grid(blocks(call.n, fp8_plain_columns), blocks(call.m, fp8_plain_rows));
  plain_fp8_kernel<<<grid, 32 * fp8_plain_columns, 0, stream>>>(call);
  zl::gpu::check_launch("plain_fp8_kernel");
}

#ifndef ZL_BACKEND_MUSA

/// Few rows; more.
using Fp8Flat = Fp8Shape<16, 64, 1, 4, 10>;
using Fp8Square = Fp8Shape<64, 64, 2, 2, 8>;

/// How many blocks share a tile's k: twice as many while all fit a Hopper GPU's 132
/// multiprocessors at once and each has some groups left to pipeline.
unsigned parts(zl::i64 tiles, zl::i64 groups) {
  unsigned count = 1;
  while (count < 8 && 2 * count * tiles <= 132 && groups >= 8 * count) count *= 2;
  return count;
}

template <class S, bool Aligned>
void launch_tensor(zl::gpu::NativeStream stream, const Fp8Call& call) {
  const unsigned tiles_n = blocks(call.n, S::block_n);
  const unsigned tiles_m = blocks(call.m, S::block_m);
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim = {parts(zl::i64{tiles_n} * tiles_m, fp8_blocks(call.k)), 1, 1};
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(tiles_n * attribute.val.clusterDim.x, tiles_m);
  config.blockDim = dim3(S::threads);
  config.dynamicSmemBytes = S::shared_bytes;
  config.stream = stream;
  config.attrs = &attribute;
  config.numAttrs = 1;
  const auto kernel = tensor_fp8_kernel<S, Aligned>;
  zl::gpu::allow_shared_memory(kernel, S::shared_bytes);
  zl::gpu::check(cudaLaunchKernelEx(&config, kernel, call), "tensor_fp8_kernel");
}

template <class S>
void launch_shape(zl::gpu::NativeStream stream, const Fp8Call& call) {
  if (allows_vectors(call.k, call.a, call.w)) {
    launch_tensor<S, true>(stream, call);
  } else {
    launch_tensor<S, false>(stream, call);
  }
}

/// Clusters need compute capability 9.0, the 8-bit products 8.9.
bool has_tensor_path() {
  int device = 0, major = 0;
  zl::gpu::check(cudaGetDevice(&device), "cudaGetDevice");
  zl::gpu::check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device),
                 "cudaDeviceGetAttribute");
  return major >= 9;
}

#endif

}  // namespace

template <class A, class W, class C>
void w8a8_block_fp8_mm(zl::Stream stream, C* c, const A* a, const W* w, const float* a_scale,
                       const float* w_scale, zl::i64 m, zl::i64 n, zl::i64 k) {
  if (m == 0 || n == 0) return;
  check_extents("w8a8_block_fp8_mm", {m, n, k});
  const Fp8Call call{
      c, a, w, a_scale, w_scale, static_cast<int>(m), static_cast<int>(n), static_cast<int>(k)};
#ifndef ZL_BACKEND_MUSA
  if (has_tensor_path()) {
    return m <= Fp8Flat::block_m ? launch_shape<Fp8Flat>(stream, call)
                                 : launch_shape<Fp8Square>(stream, call);
  }
#endif
  launch_plain(stream, call);
}

ZL_INSTANTIATE(w8a8_block_fp8_mm)

}  // namespace ops
