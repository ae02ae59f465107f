#include "mm.hpp"

#include "shared/cublaslt_product.hpp"
#include "shared/matmul/product_rows.hpp"
#include "zl/bench.hpp"

namespace {

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
    c.run("cublaslt", ops::cublaslt_mm<T>(y, a, b, workspace, 1, m, n, k));
  }
  c.expect(y, ops::product_rows<T>, zl::same_rows(a), b, n, k).within(zl::tolerance<T>(k));
}

}  // namespace

ZL_OP(mm, "m", "n", "k");
