#include <algorithm>

#include "reshape_and_cache.hpp"
#include "zl/registry.hpp"

namespace ops {

template <class T>
void reshape_and_cache(zl::Stream, T* key_cache, T* value_cache, const T* key, const T* value,
                       const zl::i64* slots, CacheShape s) {
  constexpr zl::i64 x = key_vector<T>;
  for (zl::i64 t = 0; t < s.tokens; ++t, key += s.heads * s.dim, value += s.heads * s.dim) {
    if (slots[t] < 0) continue;
    const zl::i64 page = slots[t] / s.block * s.heads * s.dim * s.block;
    const zl::i64 offset = slots[t] % s.block;
    for (zl::i64 v = 0; v < s.heads * s.dim / x; ++v) {
      std::copy_n(key + v * x, x, key_cache + page + (v * s.block + offset) * x);
    }
    for (zl::i64 d = 0; d < s.heads * s.dim; ++d) {
      value_cache[page + d * s.block + offset] = value[d];
    }
  }
}

ZL_INSTANTIATE(reshape_and_cache)

}  // namespace ops
