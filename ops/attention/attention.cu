#include <climits>
#include <cmath>

#include "attention.hpp"
#include "attention_plain.cuh"
#include "attention_tensor.cuh"
#include "shared/vector.cuh"
#include "zl/gpu.hpp"
#include "zl/registry.hpp"

namespace ops {
namespace {

unsigned blocks(zl::i64 heads, zl::i64 seq, int rows) {
  const zl::i64 count = heads * ((seq + rows - 1) / rows);
  if (count > INT_MAX) throw zl::Error(zl::Errc::usage, "attention: too many queries");
  return static_cast<unsigned>(count);
}

template <class T>
void launch_plain(zl::gpu::NativeStream stream, const AttentionCall<T>& call, zl::i64 heads) {
  const unsigned grid = blocks(heads, call.seq, attention_plain_rows);
  plain_attention_kernel<<<grid, 32 * attention_plain_rows, 0, stream>>>(call);
  zl::gpu::check_launch("plain_attention_kernel");
}

#ifndef ZL_BACKEND_MUSA

template <class T, int Dim, bool Causal, bool Aligned>
void launch_tensor(zl::gpu::NativeStream stream, const AttentionCall<T>& call, zl::i64 heads) {
  using S = AttentionShape<Dim>;
  const auto kernel = tensor_attention_kernel<T, Dim, Causal, Aligned>;
  zl::gpu::allow_shared_memory(kernel, S::template shared_bytes<T>);
  const unsigned grid = blocks(heads, call.seq, S::block_q);
  kernel<<<grid, S::threads, S::template shared_bytes<T>, stream>>>(call);
  zl::gpu::check_launch("tensor_attention_kernel");
}

template <class T, int Dim>
void launch_dim(zl::gpu::NativeStream stream, const AttentionCall<T>& call, zl::i64 heads) {
  const bool aligned = allows_vectors(Dim * zl::i64{sizeof(T)}, call.y, call.q, call.k, call.v);
  if (call.causal) {
    aligned ? launch_tensor<T, Dim, true, true>(stream, call, heads)
            : launch_tensor<T, Dim, true, false>(stream, call, heads);
  } else {
    aligned ? launch_tensor<T, Dim, false, true>(stream, call, heads)
            : launch_tensor<T, Dim, false, false>(stream, call, heads);
  }
}

#endif

}  // namespace

template <class T>
void attention(zl::Stream stream, T* y, const T* q, const T* k, const T* v, zl::i64 batch,
               zl::i64 heads, zl::i64 seq, zl::i64 dim, bool causal) {
  if (batch == 0 || heads == 0 || seq == 0 || dim == 0) return;
  if (seq > INT_MAX - 1024) throw zl::Error(zl::Errc::usage, "attention: seq is too long");
  const AttentionCall<T> call{y,
                              q,
                              k,
                              v,
                              static_cast<int>(seq),
                              static_cast<int>(dim),
                              static_cast<float>(M_LOG2E / std::sqrt(static_cast<double>(dim))),
                              causal};
#ifndef ZL_BACKEND_MUSA
  if (dim == 64) return launch_dim<T, 64>(stream, call, batch * heads);
  if (dim == 128) return launch_dim<T, 128>(stream, call, batch * heads);
#endif
  launch_plain(stream, call, batch * heads);
}

ZL_INSTANTIATE(attention)

}  // namespace ops
