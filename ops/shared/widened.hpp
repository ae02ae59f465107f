#pragma once

#include <vector>

#include "zl/types.hpp"

namespace ops {

/// `count` elements as binary32, for host functions that read each of them many times.
template <class T>
std::vector<float> widened(const T* from, zl::i64 count) {
  std::vector<float> to(static_cast<std::size_t>(count));
  for (float& value : to) value = static_cast<float>(zl::to_double(*from++));
  return to;
}

}  // namespace ops
