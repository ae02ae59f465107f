#include "mm.hpp"

#include <vector>

#include "zl/bench.hpp"

namespace {

template <class T>
void mm_rows(zl::Rows rows, double* c, const T* a, const T* b, zl::i64 n, zl::i64 k) {
  std::vector<double> b_row(static_cast<std::size_t>(n));
  for (zl::i64 p = 0; p < k; ++p) {
    for (zl::i64 j = 0; j < n; ++j) b_row[j] = zl::to_double(b[p * n + j]);
    for (zl::i64 i = rows.first; i < rows.last; ++i) {
      const double left = zl::to_double(a[i * k + p]);
      double* const out = c + (i - rows.first) * n;
      for (zl::i64 j = 0; j < n; ++j) out[j] += left * b_row[j];
    }
  }
}

template <class T>
void mm(zl::Case& c) {
  const zl::i64 m = c.axis("m"), n = c.axis("n"), k = c.axis("k");
  auto a = c.in<T>({m, k}, zl::normal()).warm();  // an activation; the weights b are cold
  auto b = c.in<T>({k, n}, zl::normal());
  auto y = c.out<T>({m, n});
  c.flops(2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k));
  c.impl("own", ops::mm<T>, y, a, b, m, n, k);
  if constexpr (zl::on_cuda) {
    auto workspace = c.scratch(ops::cublaslt_workspace);
    c.run("cublaslt", ops::cublaslt_mm<T>(y, a, b, workspace, m, n, k));
  }
  c.expect(y, mm_rows<T>, zl::same_rows(a), b, n, k).within(zl::tolerance<T>(k));
}

}  // namespace

ZL_OP(mm, "m", "n", "k");
