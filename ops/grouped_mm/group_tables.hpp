#pragma once

#include "zl/stream.hpp"
#include "zl/types.hpp"

namespace ops {

/// Where group g's part of an operand is: `start` + g * group_bytes + offsets[g] * row_bytes.
struct GroupedOperand {
  const void* start;
  zl::i64 row_bytes;
  zl::i64 group_bytes;
};

/// The addresses of the parts of each group that has rows: `tables`, on the device, holds those of
/// `b`, then those of `a`, then those of `c`, `groups` places each.
void write_group_tables(zl::Stream stream, void** tables, GroupedOperand b, GroupedOperand a,
                        GroupedOperand c, const zl::i32* offsets, int groups);

}  // namespace ops
