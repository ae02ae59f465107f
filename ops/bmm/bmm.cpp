#include "bmm.hpp"

#include <algorithm>

#include "shared/cublaslt_product.hpp"
#include "shared/matmul/product_rows.hpp"
#include "zl/bench.hpp"

namespace {

template <class T>
void bmm_rows(zl::Rows rows, double* c, const T* a, const T* b, zl::i64 m, zl::i64 n, zl::i64 k) {
  while (rows.first < rows.last) {
    const zl::i64 i = rows.first / m;
    const zl::i64 last = std::min(rows.last, (i + 1) * m);
    ops::product_rows({rows.first, last}, c, a, b + i * k * n, n, k);
    c += (last - rows.first) * n;
    rows.first = last;
  }
}

template <class T>
void bmm(zl::Case& c) {
  const zl::i64 batch = c.axis("b"), m = c.axis("m"), n = c.axis("n"), k = c.axis("k");
  auto a = c.in<T>({batch, m, k}, zl::normal());
  auto b = c.in<T>({batch, k, n}, zl::normal());
  auto y = c.out<T>({batch, m, n});
  c.flops(2.0 * static_cast<double>(batch * m) * static_cast<double>(n) * static_cast<double>(k));
  c.impl("own", ops::bmm<T>, y, a, b, batch, m, n, k);
  if constexpr (zl::on_cuda) {
    auto workspace = c.scratch(ops::cublaslt_workspace);
    c.run("cublaslt", ops::cublaslt_mm<T>(y, a, b, workspace, batch, m, n, k));
  }
  c.expect(y, bmm_rows<T>, zl::same_rows(a), b, m, n, k).within(zl::tolerance<T>(k));
}

}  // namespace

ZL_OP(bmm, "b", "m", "n", "k");
