#include "rms_norm.hpp"
#include "shared/row_norm.cuh"
#include "zl/registry.hpp"

namespace ops {

template <class T>
void rms_norm(zl::Stream stream, T* y, const T* x, const T* weight, double epsilon, zl::i64 rows,
              zl::i64 cols) {
  const RowNorm<T> norm{y, x, weight, nullptr, static_cast<float>(epsilon), cols};
  enqueue_row_norm<MeanSquare>(stream, norm, rows);
}

ZL_INSTANTIATE(rms_norm)

}  // namespace ops
