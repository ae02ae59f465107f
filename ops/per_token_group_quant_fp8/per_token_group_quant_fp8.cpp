#include "per_token_group_quant_fp8.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "zl/bench.hpp"

namespace {

template <class T>
double scale_of(const T* x, zl::i64 group) {
  double largest = ops::smallest_maximum;
  for (zl::i64 i = 0; i < group; ++i) largest = std::max(largest, std::abs(zl::to_double(x[i])));
  return largest / ops::largest_e4m3;
}

template <class T>
void scale_rows(zl::Rows rows, double* scale, const T* x, zl::i64 groups, zl::i64 group) {
  for (zl::i64 g = rows.first * groups; g < rows.last * groups; ++g) {
    *scale++ = scale_of(x + g * group, group);
  }
}

template <class T>
void quantized_rows(zl::Rows rows, double* q, const T* x, zl::i64 groups, zl::i64 group) {
  for (zl::i64 g = rows.first * groups; g < rows.last * groups; ++g) {
    const T* const from = x + g * group;
    const double scale = scale_of(from, group);
    for (zl::i64 i = 0; i < group; ++i) *q++ = zl::to_double(from[i]) / scale;
  }
}

template <class T, class Q>
void per_token_group_quant_fp8(zl::Case& c) {
  const zl::i64 tokens = c.axis("tokens"), dim = c.axis("dim"), group = c.axis("group");
  if (group == 0 || dim % group != 0) {
    throw zl::Error(zl::Errc::usage, "per_token_group_quant_fp8: a group of " +
                                         std::to_string(group) + " does not divide a dim of " +
                                         std::to_string(dim));
  }
  const zl::i64 groups = dim / group;
  auto x = c.in<T>({tokens, dim}, zl::normal());
  auto q = c.out<Q>({tokens, dim});
  auto scale = c.out<float>({tokens, groups});
  c.flops(2.0 * static_cast<double>(tokens) * static_cast<double>(dim));
  c.impl("own", ops::per_token_group_quant_fp8<T, Q>, q, scale, x, tokens, dim, group);
  c.expect(scale, scale_rows<T>, zl::same_rows(x), groups, group);
  // Half a step of e4m3, of normal and of subnormal values: no more than rounding to nearest may
  // leave. The excess is for the scaling in binary32.
  constexpr double excess = 1 + 0x1p-16;
  c.expect(q, quantized_rows<T>, zl::same_rows(x), groups, group)
      .within({excess * 0x1p-4, excess * 0x1p-10});
}

}  // namespace

ZL_OP(per_token_group_quant_fp8, "tokens", "dim", "group");
