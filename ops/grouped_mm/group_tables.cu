#include "group_tables.hpp"
#include "zl/gpu.hpp"

namespace ops {
namespace {

constexpr int threads = 256;

__device__ void* part(const GroupedOperand& operand, int group, int row) {
  const char* const start = static_cast<const char*>(operand.start);
  return const_cast<char*>(start + group * operand.group_bytes + row * operand.row_bytes);
}

__global__ void __launch_bounds__(threads)
    tables_kernel(void** tables, GroupedOperand b, GroupedOperand a, GroupedOperand c,
                  const zl::i32* offsets, int groups) {
  for (int g = static_cast<int>(threadIdx.x); g < groups; g += threads) {
    const int row = offsets[g];
    if (row == offsets[g + 1]) continue;
    int at = 0;
    for (int before = 0; before < g; ++before) at += offsets[before] != offsets[before + 1];
    tables[at] = part(b, g, row);
    tables[groups + at] = part(a, g, row);
    tables[2 * groups + at] = part(c, g, row);
  }
}

}  // namespace

void write_group_tables(zl::Stream stream, void** tables, GroupedOperand b, GroupedOperand a,
                        GroupedOperand c, const zl::i32* offsets, int groups) {
  const zl::gpu::NativeStream native = stream;
  tables_kernel<<<1, threads, 0, native>>>(tables, b, a, c, offsets, groups);
  zl::gpu::check_launch("tables_kernel");
}

}  // namespace ops
