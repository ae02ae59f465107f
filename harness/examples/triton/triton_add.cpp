// harness/examples/triton/triton_add.cpp: launches it, and says what comes out
#include <zl/bench.hpp>
#include <zl/module.hpp>

namespace {

constexpr zl::i64 block = 1024;  // BLOCK of compile.py

void add(zl::Stream stream, float* out, const float* x, const float* y, zl::i64 n) {
  static const zl::TritonKernel kernel(TRITON_ADD);  // by the first call, which is never timed
  const auto blocks = static_cast<unsigned>((n + block - 1) / block);
  kernel.launch(stream, {blocks}, out, x, y, static_cast<zl::i32>(n));
}

void add_rows(zl::Rows rows, double* out, const float* x, const float* y) {
  for (zl::i64 i = rows.first; i < rows.last; ++i) *out++ = double{x[i]} + double{y[i]};
}

template <class T>
void triton_add(zl::Case& c) {
  const zl::i64 n = c.axis("n");
  if (n % 16 != 0) throw zl::Error(zl::Errc::usage, "n must be a multiple of 16: compile.py");
  auto x = c.in<T>({n}, zl::normal());
  auto y = c.in<T>({n}, zl::normal());
  auto out = c.out<T>({n});
  c.impl("triton", add, out, x, y, n);
  c.expect(out, add_rows, zl::same_rows(x), zl::same_rows(y));
}

}  // namespace

ZL_OP(triton_add, "n");
