#pragma once

#include "zl/stream.hpp"
#include "zl/types.hpp"

namespace ops {

/// Elements of a key that are contiguous in its cache: 16 bytes.
template <class T>
inline constexpr zl::i64 key_vector = 16 / static_cast<zl::i64>(sizeof(T));

/// Of the tokens, of the paged caches, and of one page, which holds `block` slots.
struct CacheShape {
  zl::i64 tokens;
  zl::i64 heads;
  zl::i64 dim;  ///< a multiple of key_vector
  zl::i64 block;
};

/// Scatters the keys and values of `tokens` tokens into a paged cache, bit for bit. With
/// b = slots[t] / block, o = slots[t] % block and x = key_vector, for each head h and element d:
///
///     key_cache[b][h][d / x][o][d % x] = key[t][h][d]
///     value_cache[b][h][d][o] = value[t][h][d]
///
/// key and value are [tokens][heads][dim]; the caches are [blocks][heads][dim / x][block][x] and
/// [blocks][heads][dim][block]. A token with a negative slot is padding and not stored. No slot
/// may come twice; those that do not come keep what they hold.
template <class T>
void reshape_and_cache(zl::Stream stream, T* key_cache, T* value_cache, const T* key,
                       const T* value, const zl::i64* slots, CacheShape shape);

}  // namespace ops
