#include "rope.hpp"

#include <cmath>
#include <vector>

#include "zl/bench.hpp"

namespace {

template <class T>
void rope_rows(zl::Rows rows, double* y, const T* x, const float* cosine, const float* sine,
               zl::i64 heads, zl::i64 dim) {
  const zl::i64 half = dim / 2;
  x += rows.first * heads * dim;
  for (zl::i64 t = rows.first; t < rows.last; ++t) {
    for (zl::i64 h = 0; h < heads; ++h, x += dim, y += dim) {
      for (zl::i64 i = 0; i < half; ++i) {
        const double c = zl::to_double(cosine[t * half + i]), s = zl::to_double(sine[t * half + i]);
        const double first = zl::to_double(x[i]), second = zl::to_double(x[i + half]);
        y[i] = first * c - second * s;
        y[i + half] = second * c + first * s;
      }
    }
  }
}

using Function = double (*)(double);

/// `function` of token t's angles p / 10000^(2 i / dim), its position p being t + 1: at position 0
/// nothing is turned, and an op that does nothing would be right. Source of the angles: Su et al.,
/// "RoFormer", 2021, equation 15.
std::vector<double> table(Function function, zl::i64 tokens, zl::i64 dim) {
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>(tokens * (dim / 2)));
  for (zl::i64 t = 0; t < tokens; ++t) {
    for (zl::i64 i = 0; i < dim / 2; ++i) {
      const double frequency = std::pow(10000.0, -2.0 * static_cast<double>(i) / dim);
      values.push_back(function(static_cast<double>(t + 1) * frequency));
    }
  }
  return values;
}

template <class T>
void rope(zl::Case& c) {
  const zl::i64 tokens = c.axis("tokens"), heads = c.axis("heads"), dim = c.axis("dim");
  if (dim % 2 != 0) throw zl::Error(zl::Errc::usage, "rope: dim must be even");
  auto x = c.inout<T>({tokens, heads * dim}, zl::normal());
  auto cosine = c.in<float>({tokens, dim / 2}, zl::values(table(std::cos, tokens, dim)));
  auto sine = c.in<float>({tokens, dim / 2}, zl::values(table(std::sin, tokens, dim)));
  c.flops(3.0 * static_cast<double>(tokens) * static_cast<double>(heads) *
          static_cast<double>(dim));
  c.impl("own", ops::rope<T>, x, cosine, sine, tokens, heads, dim);
  // Two products of up to 5.
  c.expect(x, rope_rows<T>, zl::same_rows(x), zl::same_rows(cosine), zl::same_rows(sine), heads,
           dim)
      .within(zl::tolerance<T>(2, 5));
}

}  // namespace

ZL_OP(rope, "tokens", "heads", "dim");
