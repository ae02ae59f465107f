#include "dispatch.hpp"
#include "shared/expert_sum.cuh"
#include "shared/gather_rows.cuh"
#include "zl/registry.hpp"

namespace ops {

template <class T>
void dispatch(zl::Stream stream, T* y, const T* x, const zl::i32* token, zl::i64 pairs,
              zl::i64 hidden) {
  gather_rows(stream, y, x, token, pairs, hidden);
}

template <class T>
void combine(zl::Stream stream, T* y, const T* x, const zl::i32* place, const float* weight,
             zl::i64 tokens, zl::i64 k, zl::i64 hidden) {
  expert_sum(stream, y, ExpertOutputs<T>{x, place, weight}, tokens, k, hidden);
}

ZL_INSTANTIATE(dispatch)
ZL_INSTANTIATE(combine)

}  // namespace ops
