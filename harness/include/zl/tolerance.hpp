#pragma once

#include <cstdint>

#include "zl/types.hpp"

namespace zl {

/// |got - want| <= absolute + relative * |want|. NaN matches only NaN, an infinity only itself.
struct Tolerance {
  double relative = 0;
  double absolute = 0;
};

/// Spacing of `type` at 1, halved: the largest relative error of one rounding. 0 for integers.
double unit_roundoff(DType type);

/// The tolerance of an output of `type` whose elements each sum `reduction` terms of size about
/// `scale` in binary32: two roundings of the output, and 4 u k s for the sum (u = 2^-24; twice the
/// first-order bound of k sequential additions that each round a partial sum of about k s / 2;
/// Higham, "Accuracy and Stability of Numerical Algorithms", ch. 4). Integers must be equal.
Tolerance tolerance(DType type, std::int64_t reduction = 1, double scale = 1);

template <class T>
Tolerance tolerance(std::int64_t reduction = 1, double scale = 1) {
  return tolerance(dtype_of_v<T>, reduction, scale);
}

}  // namespace zl
