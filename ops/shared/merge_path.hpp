#pragma once

#include "zl/philox.hpp"

namespace ops {

/// How many of the first `diagonal` elements of the merge of two sorted sequences come from the
/// first one: a(i), 0 <= i < a_count, and b(i). Of equal elements those of `a` come first. Source:
/// Green, McColl, Bader, "GPU Merge Path", ICS 2012.
template <class Index, class A, class B>
ZL_HOST_DEVICE Index merge_path(A a, Index a_count, B b, Index b_count, Index diagonal) {
  Index low = diagonal > b_count ? diagonal - b_count : 0;
  Index high = diagonal < a_count ? diagonal : a_count;
  while (low < high) {
    const Index middle = low + (high - low) / 2;
    if (a(middle) <= b(diagonal - 1 - middle)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

}  // namespace ops
