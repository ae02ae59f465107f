#include "reshape_and_cache.hpp"

#include <random>
#include <utility>
#include <vector>

#include "zl/bench.hpp"

namespace {

using ops::CacheShape;

/// The token that each of `count` slots from `first` on receives, or -1.
std::vector<zl::i64> tokens_of(const zl::i64* slots, zl::i64 tokens, zl::i64 first, zl::i64 count) {
  std::vector<zl::i64> token(static_cast<std::size_t>(count), -1);
  for (zl::i64 t = 0; t < tokens; ++t) {
    const zl::i64 slot = slots[t] - first;
    if (slot >= 0 && slot < count) token[static_cast<std::size_t>(slot)] = t;
  }
  return token;
}

/// Row (b, h, v, o) of the key cache: vector v of a key.
template <class T>
void key_rows(zl::Rows rows, double* out, const T* cache, const T* key, const zl::i64* slots,
              CacheShape s) {
  constexpr zl::i64 x = ops::key_vector<T>;
  const zl::i64 vectors = s.dim / x;
  const zl::i64 page = s.heads * vectors * s.block;  // rows of one block
  const zl::i64 first = rows.first / page * s.block;
  const zl::i64 last = (rows.last + page - 1) / page * s.block;
  const auto token = tokens_of(slots, s.tokens, first, last - first);
  for (zl::i64 row = rows.first; row < rows.last; ++row) {
    const zl::i64 slot = row / page * s.block + row % s.block;
    const zl::i64 head_vector = row % page / s.block;
    const zl::i64 t = token[static_cast<std::size_t>(slot - first)];
    const T* from = t < 0 ? cache + row * x : key + t * s.heads * s.dim + head_vector * x;
    for (zl::i64 i = 0; i < x; ++i) *out++ = zl::to_double(from[i]);
  }
}

/// Row (b, h, d) of the value cache: element d of a block's values.
template <class T>
void value_rows(zl::Rows rows, double* out, const T* cache, const T* value, const zl::i64* slots,
                CacheShape s) {
  const zl::i64 page = s.heads * s.dim;
  const zl::i64 first = rows.first / page * s.block;
  const zl::i64 last = (rows.last + page - 1) / page * s.block;
  const auto token = tokens_of(slots, s.tokens, first, last - first);
  for (zl::i64 row = rows.first; row < rows.last; ++row) {
    for (zl::i64 o = 0; o < s.block; ++o) {
      const zl::i64 t = token[static_cast<std::size_t>(row / page * s.block + o - first)];
      *out++ = zl::to_double(t < 0 ? cache[row * s.block + o] : value[t * page + row % page]);
    }
  }
}

/// Slots of a cache in which pages were given out and taken back many times: any `tokens` of them,
/// in any order.
std::vector<double> scattered(zl::i64 tokens, zl::i64 slots) {
  std::vector<double> all(static_cast<std::size_t>(slots));
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<double>(i);
  std::mt19937_64 random(20);
  for (std::size_t i = 0; i < static_cast<std::size_t>(tokens); ++i) {
    std::swap(all[i], all[i + random() % (all.size() - i)]);
  }
  all.resize(static_cast<std::size_t>(tokens));
  return all;
}

template <class T>
void reshape_and_cache(zl::Case& c) {
  const CacheShape s{c.axis("tokens"), c.axis("heads"), c.axis("dim"), c.axis("block")};
  if (s.dim % ops::key_vector<T> != 0 || s.block == 0) {
    throw zl::Error(zl::Errc::usage, "reshape_and_cache: dim is a multiple of " +
                                         std::to_string(ops::key_vector<T>) +
                                         " and block is not 0");
  }
  // One slot in two stays as it is, and is checked to.
  const zl::i64 blocks = 2 * ((s.tokens + s.block - 1) / s.block);
  constexpr zl::i64 x = ops::key_vector<T>;
  auto key = c.in<T>({s.tokens, s.heads, s.dim}, zl::normal()).warm();
  auto value = c.in<T>({s.tokens, s.heads, s.dim}, zl::normal()).warm();
  auto key_cache = c.inout<T>({blocks, s.heads, s.dim / x, s.block, x}, zl::normal());
  auto value_cache = c.inout<T>({blocks, s.heads, s.dim, s.block}, zl::normal());
  auto slots = c.in<zl::i64>({s.tokens}, zl::values(scattered(s.tokens, blocks * s.block)));
  // What is stored, not the caches.
  const double elements = static_cast<double>(s.tokens * s.heads * s.dim);
  c.bytes(4 * elements * sizeof(T) + static_cast<double>(s.tokens) * sizeof(zl::i64));
  c.impl("own", ops::reshape_and_cache<T>, key_cache, value_cache, key, value, slots, s);
  c.expect(key_cache, key_rows<T>, zl::same_rows(key_cache), key, slots, s).within({0, 0});
  c.expect(value_cache, value_rows<T>, zl::same_rows(value_cache), value, slots, s).within({0, 0});
}

}  // namespace

ZL_OP(reshape_and_cache, "tokens", "heads", "dim", "block");
