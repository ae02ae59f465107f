#include "grouped_mm.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "shared/matmul/product_rows.hpp"
#include "zl/bench.hpp"
#include "zl/philox.hpp"

namespace {

/// Rows of each group, from 0 to 511, the same in every run.
std::vector<zl::i64> drawn_rows(zl::i64 groups) {
  constexpr std::uint64_t seed = 0x6209;
  constexpr std::uint64_t most = 512;
  std::vector<zl::i64> rows;
  for (zl::i64 g = 0; g < groups; ++g) {
    const std::uint64_t word = zl::philox4x32_10(static_cast<std::uint64_t>(g), 0, seed).word[0];
    rows.push_back(static_cast<zl::i64>(word * most >> 32));
  }
  return rows;
}

template <class T>
void grouped_rows(zl::Rows rows, double* c, const T* a, const T* b, const zl::i32* offsets,
                  zl::i64 groups, zl::i64 n, zl::i64 k) {
  for (zl::i64 g = 0; g < groups; ++g) {
    const zl::i64 first = std::max<zl::i64>(rows.first, offsets[g]);
    const zl::i64 last = std::min<zl::i64>(rows.last, offsets[g + 1]);
    if (first >= last) continue;
    ops::product_rows({first, last}, c + (first - rows.first) * n, a, b + g * k * n, n, k);
  }
}

template <class T>
void grouped_mm(zl::Case& c) {
  const zl::i64 groups = c.axis("groups"), n = c.axis("n"), k = c.axis("k");
  const std::vector<zl::i64> group_rows = drawn_rows(groups);
  std::vector<double> offset_values{0};
  std::string note;
  for (zl::i64 rows : group_rows) {
    offset_values.push_back(offset_values.back() + static_cast<double>(rows));
    note += (note.empty() ? "" : " ") + std::to_string(rows);
  }
  const auto rows = static_cast<zl::i64>(offset_values.back());
  auto a = c.in<T>({rows, k}, zl::normal()).warm();  // an activation; the weights b are cold
  auto b = c.in<T>({groups, k, n}, zl::normal());
  auto offsets = c.in<zl::i32>({groups + 1}, zl::values(offset_values)).warm();
  auto y = c.out<T>({rows, n});
  c.flops(2.0 * static_cast<double>(rows) * static_cast<double>(n) * static_cast<double>(k));
  c.run("own", [=](const zl::Launch& l) {
    l.note("group_rows", note);
    ops::grouped_mm<T>(l.stream(), l.ptr(y), l.ptr(a), l.ptr(b), l.ptr(offsets), rows, groups, n,
                       k);
  });
  if constexpr (zl::on_cuda) {
    if (rows > 0 && n > 0 && k > 0 && n % 8 == 0 && k % 8 == 0) {  // rows of whole 16 bytes
      auto workspace = c.scratch(ops::grouped_workspace(groups));
      const auto product = ops::cublas_grouped_mm<T>(y, a, b, offsets, workspace, group_rows, n, k);
      c.run("cublas", [=](const zl::Launch& l) {
        l.note("group_rows", note);
        product(l);
      });
    }
  }
  c.expect(y, grouped_rows<T>, zl::same_rows(a), b, offsets, groups, n, k)
      .within(zl::tolerance<T>(k));
}

}  // namespace

ZL_OP(grouped_mm, "groups", "n", "k");
