#include "fused_experts_pieces.hpp"

#include <map>
#include <string>

#include "dispatch.hpp"
#include "silu_and_mul/silu_and_mul.hpp"
#include "sort_pairs.hpp"
#include "zl/registry.hpp"

namespace ops {
namespace {

using ExpertProduct = std::function<void(const zl::Launch&, const CublasltBuffers&)>;

/// An expert that is used, and which rows of the sorted pairs are its.
struct UsedExpert {
  zl::i64 expert, first;
  ExpertProduct first_product, second_product;
};

/// What every row's address is a multiple of; all matrices are of whole rows of `hidden` or `inter`
/// elements, and their first is at a multiple of 256 bytes.
template <class T>
zl::i64 row_alignment(const ExpertsShape& s) {
  zl::i64 bytes = 256;
  while ((s.hidden | s.inter) * static_cast<zl::i64>(sizeof(T)) % bytes != 0) bytes /= 2;
  return bytes;
}

template <class T>
ExpertProduct product(zl::i64 m, zl::i64 n, zl::i64 k, zl::i64 alignment) {
  CublasltShape shape{zl::dtype_of_v<T>, zl::dtype_of_v<T>, 1, m, n, k};
  shape.transposed_b = true;
  shape.alignment = alignment;
  shape.note =
      "cublaslt_algorithm_" + std::to_string(m) + "x" + std::to_string(n) + "x" + std::to_string(k);
  return cublaslt_product(shape);
}

template <class T>
std::vector<UsedExpert> used_experts(const std::vector<zl::i64>& rows, const ExpertsShape& s) {
  const zl::i64 alignment = row_alignment<T>(s);
  std::map<zl::i64, UsedExpert> by_rows;  // experts of as many rows share the choice of algorithm
  std::vector<UsedExpert> used;
  zl::i64 first = 0;
  for (zl::i64 e = 0; e < s.experts; ++e) {
    const zl::i64 count = rows[static_cast<std::size_t>(e)];
    if (count == 0) continue;
    if (by_rows.count(count) == 0) {
      by_rows[count] = {0, 0, product<T>(count, 2 * s.inter, s.hidden, alignment),
                        product<T>(count, s.hidden, s.inter, alignment)};
    }
    used.push_back(by_rows[count]);
    used.back().expert = e;
    used.back().first = first;
    first += count;
  }
  return used;
}

}  // namespace

template <class T>
std::function<void(const zl::Launch&)> experts_in_pieces(const ExpertsOperands<T>& operands,
                                                         const std::vector<zl::i64>& rows,
                                                         const ExpertsShape& s) {
  const auto used = used_experts<T>(rows, s);
  return [operands, used, s](const zl::Launch& l) {
    const PiecesWorkspace at(s, sizeof(T));
    zl::u8* const workspace = l.ptr(operands.workspace);
    const auto ids = [&](zl::i64 start) { return reinterpret_cast<zl::i32*>(workspace + start); };
    const auto elements = [&](zl::i64 start) { return reinterpret_cast<T*>(workspace + start); };
    const SortedPairs sorted{ids(at.offsets), ids(at.tokens), ids(at.pairs), ids(at.places)};
    T* const gathered = elements(at.gathered);
    T* const gate_up = elements(at.gate_up);
    T* const activated = elements(at.activated);
    T* const down = elements(at.down);
    void* const products = workspace + at.products;
    const T* const w1 = l.ptr(operands.w1);
    const T* const w2 = l.ptr(operands.w2);
    const zl::Stream stream = l.stream();

    sort_pairs(stream, sorted, l.ptr(operands.expert), s);
    dispatch(stream, gathered, l.ptr(operands.x), sorted.tokens, s.pairs(), s.hidden);
    for (const UsedExpert& u : used) {
      u.first_product(l, {gate_up + u.first * 2 * s.inter, gathered + u.first * s.hidden,
                          w1 + u.expert * 2 * s.inter * s.hidden, products});
    }
    silu_and_mul(stream, activated, gate_up, s.pairs(), s.inter);
    for (const UsedExpert& u : used) {
      u.second_product(l, {down + u.first * s.hidden, activated + u.first * s.inter,
                           w2 + u.expert * s.hidden * s.inter, products});
    }
    combine(stream, l.ptr(operands.y), down, sorted.places, l.ptr(operands.weight), s.tokens, s.k,
            s.hidden);
  };
}

ZL_INSTANTIATE(experts_in_pieces)

}  // namespace ops
