#include <cublas_v2.h>

#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "group_tables.hpp"
#include "grouped_mm.hpp"
#include "shared/cublas_check.hpp"
#include "zl/gpu.hpp"
#include "zl/registry.hpp"

namespace ops {
namespace {

struct Destroy {
  void operator()(cublasHandle_t handle) const { cublasDestroy(handle); }
};

/// What cuBLAS reads on the host, one entry for each group that has rows.
struct HostTables {
  std::vector<cublasOperation_t> operation;
  std::vector<int> rows, n, k, group_size;
  std::vector<float> one, zero;

  HostTables(const std::vector<zl::i64>& group_rows, zl::i64 columns, zl::i64 depth) {
    for (const zl::i64 count : group_rows) {
      if (count == 0) continue;
      operation.push_back(CUBLAS_OP_N);
      rows.push_back(static_cast<int>(count));
      n.push_back(static_cast<int>(columns));
      k.push_back(static_cast<int>(depth));
      group_size.push_back(1);
      one.push_back(1);
      zero.push_back(0);
    }
  }
};

template <class T>
constexpr cudaDataType_t data_type = CUDA_R_32F;
template <>
constexpr cudaDataType_t data_type<zl::f16> = CUDA_R_16F;
template <>
constexpr cudaDataType_t data_type<zl::bf16> = CUDA_R_16BF;

/// cuBLAS counts column-major, so it computes c^T = b^T a^T.
template <class T>
class GroupedProduct {
 public:
  GroupedProduct(const std::vector<zl::i64>& group_rows, zl::i64 n, zl::i64 k)
      : host_(group_rows, n, k), groups_(static_cast<int>(group_rows.size())) {
    cublasHandle_t handle = nullptr;
    check_cublas(cublasCreate(&handle), "cublasCreate");
    handle_.reset(handle);
  }

  void operator()(zl::Stream stream, T* c, const T* a, const T* b, const zl::i32* offsets,
                  zl::u8* workspace, zl::i64 n, zl::i64 k) {
    void** const tables = reinterpret_cast<void**>(workspace + cublas_workspace);
    constexpr zl::i64 size = sizeof(T);
    write_group_tables(stream, tables, {b, 0, k * n * size}, {a, k * size, 0}, {c, n * size, 0},
                       offsets, groups_);
    // A change of the stream takes the workspace away.
    check_cublas(cublasSetStream(handle_.get(), zl::gpu::NativeStream{stream}), "cublasSetStream");
    check_cublas(cublasSetWorkspace(handle_.get(), workspace, cublas_workspace),
                 "cublasSetWorkspace");
    check_cublas(
        cublasGemmGroupedBatchedEx(
            handle_.get(), host_.operation.data(), host_.operation.data(), host_.n.data(),
            host_.rows.data(), host_.k.data(), host_.one.data(), tables, data_type<T>,
            host_.n.data(), tables + groups_, data_type<T>, host_.k.data(), host_.zero.data(),
            tables + zl::i64{2} * groups_, data_type<T>, host_.n.data(),
            static_cast<int>(host_.rows.size()), host_.group_size.data(), CUBLAS_COMPUTE_32F),
        "cublasGemmGroupedBatchedEx");
  }

 private:
  HostTables host_;
  int groups_;
  std::unique_ptr<std::remove_pointer_t<cublasHandle_t>, Destroy> handle_;
};

}  // namespace

template <class T>
std::function<void(const zl::Launch&)> cublas_grouped_mm(zl::Operand<T> c, zl::Operand<const T> a,
                                                         zl::Operand<const T> b,
                                                         zl::Operand<const zl::i32> offsets,
                                                         zl::Operand<zl::u8> workspace,
                                                         std::vector<zl::i64> group_rows, zl::i64 n,
                                                         zl::i64 k) {
  // Made by the first call: a case that measures another implementation pays nothing for it.
  auto product = std::make_shared<std::unique_ptr<GroupedProduct<T>>>();
  return [=](const zl::Launch& l) {
    if (!*product) *product = std::make_unique<GroupedProduct<T>>(group_rows, n, k);
    l.note("cublas_version", std::to_string(cublasLtGetVersion()));
    (**product)(l.stream(), l.ptr(c), l.ptr(a), l.ptr(b), l.ptr(offsets), l.ptr(workspace), n, k);
  };
}

ZL_INSTANTIATE(cublas_grouped_mm)

}  // namespace ops
