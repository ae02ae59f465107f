#include "w8a8_block_fp8_mm.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "shared/cublaslt_product.hpp"
#include "zl/bench.hpp"

namespace {

/// Every e4m3 number by its bits: a row of the reference reads all weights.
std::array<double, 256> e4m3_values() {
  std::array<double, 256> values;
  for (unsigned bits = 0; bits < 256; ++bits) {
    values[bits] = zl::to_double(zl::e4m3{static_cast<std::uint8_t>(bits)});
  }
  return values;
}

void mm_rows(zl::Rows rows, double* c, const zl::e4m3* a, const zl::e4m3* w, const float* a_scale,
             const float* w_scale, zl::i64 m, zl::i64 n, zl::i64 k) {
  static const std::array<double, 256> value = e4m3_values();
  const zl::i64 groups = ops::fp8_blocks(k);
  std::vector<double> left(static_cast<std::size_t>(k));
  for (zl::i64 i = rows.first; i < rows.last; ++i, c += n) {
    for (zl::i64 p = 0; p < k; ++p) {
      left[p] = value[a[i * k + p].bits] * static_cast<double>(a_scale[p / ops::fp8_block * m + i]);
    }
    for (zl::i64 j = 0; j < n; ++j) {
      const zl::e4m3* const right = w + j * k;
      const float* const scale = w_scale + j / ops::fp8_block * groups;
      c[j] = 0;
      for (zl::i64 g = 0; g < groups; ++g) {
        const zl::i64 last = std::min(k, (g + 1) * ops::fp8_block);
        double part = 0;
        for (zl::i64 p = g * ops::fp8_block; p < last; ++p) part += left[p] * value[right[p].bits];
        c[j] += part * static_cast<double>(scale[g]);
      }
    }
  }
}

constexpr double scale_low = 0.5, scale_high = 2;

/// Besides what binary32 sums and roundings allow: Hopper's 8-bit products keep 13 bits below the
/// largest addend of a block's sum and cut off the rest (DeepSeek-V3 technical report, section
/// 3.3.2). Addends and partial sums of a block of 128 products of normal numbers are below 32, the
/// k errors are independent: 32 x 2^-13 x sqrt(k), times the scales' size, is several of their
/// standard deviations, and under a hundredth of an output's.
template <class C>
zl::Tolerance mm_tolerance(zl::i64 k) {
  constexpr double mean = (scale_low + scale_high) / 2;
  auto tolerance = zl::tolerance<C>(k, mean * mean);
  tolerance.absolute += 32 * 0x1p-13 * std::sqrt(static_cast<double>(k)) * mean * mean;
  return tolerance;
}

template <class A, class W, class C>
void w8a8_block_fp8_mm(zl::Case& c) {
  const zl::i64 m = c.axis("m"), n = c.axis("n"), k = c.axis("k");
  const zl::i64 groups = ops::fp8_blocks(k);
  // The quantization before this op wrote the activations; the weights are cold.
  auto a = c.in<A>({m, k}, zl::normal()).warm();
  auto w = c.in<W>({n, k}, zl::normal());
  auto a_scale = c.in<float>({groups, m}, zl::uniform(scale_low, scale_high)).warm();
  auto w_scale = c.in<float>({ops::fp8_blocks(n), groups}, zl::uniform(scale_low, scale_high));
  auto y = c.out<C>({m, n});
  c.flops(2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k));
  c.impl("own", ops::w8a8_block_fp8_mm<A, W, C>, y, a, w, a_scale, w_scale, m, n, k);
  if constexpr (zl::on_cuda) {
    // Other shapes are none of cuBLASLt: whole blocks of weights, 16-byte rows, of scales too.
    if (m % 16 == 0 && n % 128 == 0 && k % 512 == 0 && m > 0 && n > 0 && k > 0) {
      auto workspace = c.scratch(ops::cublaslt_workspace);
      const auto product =
          ops::cublaslt_product({zl::dtype_of_v<A>, zl::dtype_of_v<C>, 1, m, n, k, true});
      c.run("cublaslt", [=](const zl::Launch& l) {
        product(l,
                {l.ptr(y), l.ptr(a), l.ptr(w), l.ptr(workspace), l.ptr(a_scale), l.ptr(w_scale)});
      });
    }
  }
  c.expect(y, mm_rows, zl::same_rows(a), w, a_scale, w_scale, m, n, k).within(mm_tolerance<C>(k));
}

}  // namespace

ZL_OP(w8a8_block_fp8_mm, "m", "n", "k");
