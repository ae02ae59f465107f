#include "layer_norm.hpp"
#include "shared/row_norm.cuh"
#include "zl/registry.hpp"

namespace ops {

template <class T>
void layer_norm(zl::Stream stream, T* y, const T* x, const T* weight, const T* bias, double epsilon,
                zl::i64 rows, zl::i64 cols) {
  const RowNorm<T> norm{y, x, weight, bias, static_cast<float>(epsilon), cols};
  enqueue_row_norm<Variance>(stream, norm, rows);
}

ZL_INSTANTIATE(layer_norm)

}  // namespace ops
