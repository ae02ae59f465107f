// harness/examples/library_call/gemv.cpp: y = A x by cuBLAS
#include <cublas_v2.h>

#include <memory>
#include <zl/bench.hpp>

namespace {

void check(cublasStatus_t status, const char* call) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  throw zl::Error(zl::Errc::device, int{status}, cublasGetStatusName(status), call,
                  cublasGetStatusString(status));
}

/// Made by the first call, which is never timed.
cublasHandle_t handle() {
  static const auto owned = [] {
    cublasHandle_t made = nullptr;
    check(cublasCreate(&made), "cublasCreate");
    return std::shared_ptr<cublasContext>(made, cublasDestroy);
  }();
  return owned.get();
}

void gemv_cublas(cudaStream_t stream, float* y, const float* a, const float* x, int m, int k) {
  const float one = 1;
  const float zero = 0;
  check(cublasSetStream(handle(), stream), "cublasSetStream");
  // To cuBLAS, which stores columns one after another, A is transposed.
  check(cublasSgemv(handle(), CUBLAS_OP_T, k, m, &one, a, k, x, 1, &zero, y, 1), "cublasSgemv");
}

void gemv_rows(zl::Rows rows, double* y, const float* a, const float* x, zl::i64 k) {
  for (zl::i64 row = rows.first; row < rows.last; ++row, ++y) {
    *y = 0;
    for (zl::i64 i = 0; i < k; ++i) *y += double{a[row * k + i]} * double{x[i]};
  }
}

template <class T>
void gemv(zl::Case& c) {
  const zl::i64 m = c.axis("m");
  const zl::i64 k = c.axis("k");
  auto a = c.in<T>({m, k}, zl::normal());
  auto x = c.in<T>({k}, zl::normal()).warm();  // the op before has just written it
  auto y = c.out<T>({m});
  c.flops(2.0 * double(m) * double(k));
  c.impl("cublas", gemv_cublas, y, a, x, m, k);
  c.expect(y, gemv_rows, zl::same_rows(a), x, k).within(zl::tolerance<T>(k));
}

}  // namespace

ZL_OP(gemv, "m", "k");
