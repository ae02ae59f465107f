#include "fused_experts.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <type_traits>
#include <vector>

#include "fused_experts_pieces.hpp"
#include "shared/routing.hpp"
#include "zl/bench.hpp"
#include "zl/float_bits.hpp"

namespace {

static_assert(std::is_same_v<zl::TypeList<ZL_OP_TYPES>, zl::TypeList<zl::Types<zl::bf16>>>);

/// x . w. A row of the result reads all weights of its experts, hundreds of millions: sixteen sums,
/// which the compiler keeps in vectors.
double dot(const double* x, const zl::bf16* w, zl::i64 n) {
  double sum[16] = {};
  zl::i64 i = 0;
  for (; i + 16 <= n; i += 16) {
    for (zl::i64 j = 0; j < 16; ++j) {
      sum[j] += x[i + j] * static_cast<double>(zl::bits::from_bf16(w[i + j].bits));
    }
  }
  for (; i < n; ++i) sum[0] += x[i] * zl::to_double(w[i]);
  double total = 0;
  for (double part : sum) total += part;
  return total;
}

void experts_rows(zl::Rows rows, double* y, const zl::bf16* x, const zl::bf16* w1,
                  const zl::bf16* w2, const zl::i32* expert, const float* weight,
                  ops::ExpertsShape s) {
  std::vector<double> token(static_cast<std::size_t>(s.hidden));
  std::vector<double> activated(static_cast<std::size_t>(s.inter));
  for (zl::i64 t = rows.first; t < rows.last; ++t, y += s.hidden) {
    for (zl::i64 d = 0; d < s.hidden; ++d) token[d] = zl::to_double(x[t * s.hidden + d]);
    for (zl::i64 d = 0; d < s.hidden; ++d) y[d] = 0;
    for (zl::i64 pair = t * s.k; pair < (t + 1) * s.k; ++pair) {
      const zl::bf16* const first = w1 + expert[pair] * 2 * s.inter * s.hidden;
      for (zl::i64 i = 0; i < s.inter; ++i) {
        const double gate = dot(token.data(), first + i * s.hidden, s.hidden);
        const double up = dot(token.data(), first + (s.inter + i) * s.hidden, s.hidden);
        activated[i] = gate / (1 + std::exp(-gate)) * up;
      }
      const zl::bf16* const second = w2 + expert[pair] * s.hidden * s.inter;
      for (zl::i64 d = 0; d < s.hidden; ++d) {
        y[d] += static_cast<double>(weight[pair]) *
                dot(activated.data(), second + d * s.inter, s.inter);
      }
    }
  }
}

/// Gate and projection, their product and each expert's output are rounded to bf16 on the way: four
/// more roundings of what an expert adds. The weights are such that this is of size about 1; where
/// experts cancel, or an output is a sum of few products, it is a few times the output.
zl::Tolerance experts_tolerance(const ops::ExpertsShape& s) {
  constexpr zl::DType type = zl::DType::bf16;
  auto tolerance = zl::tolerance<zl::bf16>(s.hidden + s.inter);
  tolerance.relative += 4 * zl::unit_roundoff(type);
  tolerance.absolute += 8 * zl::unit_roundoff(type);
  return tolerance;
}

template <class T>
void fused_experts(zl::Case& c) {
  const ops::ExpertsShape s{c.axis("tokens"), c.axis("experts"), c.axis("hidden"), c.axis("inter"),
                            c.axis("k")};
  if (s.experts > ops::fused_most_experts) {
    throw zl::Error(zl::Errc::usage, "fused_experts: more than " +
                                         std::to_string(ops::fused_most_experts) + " experts");
  }
  const std::vector<double> routed = ops::routing(s.tokens, s.experts, s.k, c.axis("skew"));
  std::vector<zl::i64> rows(static_cast<std::size_t>(s.experts));  // of each expert
  for (const double e : routed) ++rows[static_cast<std::size_t>(e)];
  const auto used = s.experts - std::count(rows.begin(), rows.end(), 0);
  const auto size = [](zl::i64 extent) { return std::sqrt(static_cast<double>(extent)); };
  auto x = c.in<T>({s.tokens, s.hidden}, zl::normal()).warm();  // the weights are cold
  auto w1 = c.in<T>({s.experts, 2 * s.inter, s.hidden}, zl::normal(0, 1 / size(s.hidden)));
  auto w2 = c.in<T>({s.experts, s.hidden, s.inter}, zl::normal(0, 1 / size(s.inter)));
  auto expert = c.in<zl::i32>({s.tokens, s.k}, zl::values(routed)).warm();
  auto weight = c.in<float>({s.tokens, s.k}, zl::uniform(0, 1)).warm();
  auto y = c.out<T>({s.tokens, s.hidden});
  auto workspace = c.scratch(ops::ExpertsWorkspace(s, sizeof(T)).bytes);
  const double matrix = 3 * static_cast<double>(s.hidden) * static_cast<double>(s.inter);
  const auto pairs = static_cast<double>(s.pairs());
  c.flops(2 * matrix * pairs);
  // The weights of the experts that some token goes to, not all; nothing of the steps' results.
  c.bytes(matrix * sizeof(T) * static_cast<double>(used) +
          2.0 * sizeof(T) * static_cast<double>(s.tokens * s.hidden) +
          (sizeof(zl::i32) + sizeof(float)) * pairs);
  const std::string note =
      std::to_string(used) + " of " + std::to_string(s.experts) + " experts used";
  c.run("own", [=](const zl::Launch& l) {
    l.note("routing", note);
    ops::fused_experts<T>(l.stream(), l.ptr(y), l.ptr(x), l.ptr(w1), l.ptr(w2), l.ptr(expert),
                          l.ptr(weight), l.ptr(workspace), s);
  });
  if constexpr (zl::on_cuda) {
    if (s.pairs() > 0 && s.hidden > 0 && s.inter > 0 && s.hidden % 8 == 0 && s.inter % 8 == 0) {
      auto pieces_workspace = c.scratch(ops::PiecesWorkspace(s, sizeof(T)).bytes);
      const auto pieces =
          ops::experts_in_pieces<T>({y, x, w1, w2, expert, weight, pieces_workspace}, rows, s);
      c.run("pieces", [=](const zl::Launch& l) {
        l.note("routing", note);
        pieces(l);
      });
    }
  }
  c.expect(y, experts_rows, x, w1, w2, expert, weight, s).within(experts_tolerance(s));
}

}  // namespace

ZL_OP(fused_experts, "tokens", "experts", "hidden", "inter", "k", "skew");
