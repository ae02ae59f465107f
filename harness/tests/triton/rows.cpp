// The kernels of row_kernels.py, each an op.
#include <algorithm>
#include <cmath>
#include <string>
#include <zl/bench.hpp>
#include <zl/module.hpp>

namespace {

using zl::bf16;
using zl::i64;
using zl::to_double;

constexpr i64 whole_row = 8192;  // BLOCK of row_kernels.py
constexpr i64 piece = 1024;      // PIECE

zl::TritonKernel load(const std::string& name) {
  return zl::TritonKernel(ROW_KERNELS "/" + name + ".json");
}

void silu_and_mul(zl::Stream stream, bf16* y, const bf16* x, i64 rows, i64 cols) {
  static const zl::TritonKernel kernel = load("silu_and_mul");
  const zl::Extent grid{static_cast<unsigned>(rows),
                        static_cast<unsigned>((cols + piece - 1) / piece)};
  kernel.launch(stream, grid, y, x, static_cast<zl::i32>(cols));
}
void softmax(zl::Stream stream, bf16* y, const bf16* x, i64 rows, i64 cols) {
  static const zl::TritonKernel kernel = load("softmax");
  kernel.launch(stream, {static_cast<unsigned>(rows)}, y, x, static_cast<zl::i32>(cols));
}
void rms_norm(zl::Stream stream, bf16* y, const bf16* x, const bf16* weight, i64 rows, i64 cols) {
  static const zl::TritonKernel kernel = load("rms_norm");
  kernel.launch(stream, {static_cast<unsigned>(rows)}, y, x, weight, static_cast<zl::i32>(cols));
}

void silu_and_mul_rows(zl::Rows rows, double* y, const bf16* x, i64 cols) {
  for (i64 row = rows.first; row < rows.last; ++row) {
    const bf16* const gates = x + 2 * row * cols;
    for (i64 i = 0; i < cols; ++i) {
      const double gate = to_double(gates[i]);
      *y++ = gate / (1 + std::exp(-gate)) * to_double(gates[cols + i]);
    }
  }
}
void softmax_rows(zl::Rows rows, double* y, const bf16* x, i64 cols) {
  for (i64 row = rows.first; row < rows.last; ++row, y += cols) {
    const bf16* const in = x + row * cols;
    double largest = to_double(in[0]);
    for (i64 i = 1; i < cols; ++i) largest = std::max(largest, to_double(in[i]));
    double sum = 0;
    for (i64 i = 0; i < cols; ++i) sum += y[i] = std::exp(to_double(in[i]) - largest);
    for (i64 i = 0; i < cols; ++i) y[i] /= sum;
  }
}
void rms_norm_rows(zl::Rows rows, double* y, const bf16* x, const bf16* weight, i64 cols) {
  for (i64 row = rows.first; row < rows.last; ++row) {
    const bf16* const in = x + row * cols;
    double sum = 0;
    for (i64 i = 0; i < cols; ++i) sum += to_double(in[i]) * to_double(in[i]);
    const double scale = 1 / std::sqrt(sum / double(cols) + 1e-6);
    for (i64 i = 0; i < cols; ++i) *y++ = to_double(in[i]) * scale * to_double(weight[i]);
  }
}

i64 checked_cols(const zl::Case& c, i64 most) {
  const i64 cols = c.axis("cols");
  if (cols % 16 == 0 && cols <= most) return cols;
  throw zl::Error(zl::Errc::usage, "cols must be a multiple of 16, at most " +
                                       std::to_string(most) + ": row_kernels.py");
}

template <class T>
void triton_silu_and_mul(zl::Case& c) {
  const i64 rows = c.axis("rows");
  const i64 cols = checked_cols(c, 65535 * piece);
  auto x = c.in<T>({rows, 2 * cols}, zl::normal());
  auto y = c.out<T>({rows, cols});
  c.impl("triton", silu_and_mul, y, x, rows, cols);
  c.expect(y, silu_and_mul_rows, zl::same_rows(x), cols).within(zl::tolerance<T>(8));
}
template <class T>
void triton_softmax(zl::Case& c) {
  const i64 rows = c.axis("rows");
  const i64 cols = checked_cols(c, whole_row);
  auto x = c.in<T>({rows, cols}, zl::normal());
  auto y = c.out<T>({rows, cols});
  c.impl("triton", softmax, y, x, rows, cols);
  c.expect(y, softmax_rows, zl::same_rows(x), cols).within(zl::tolerance<T>(cols));
}
template <class T>
void triton_rms_norm(zl::Case& c) {
  const i64 rows = c.axis("rows");
  const i64 cols = checked_cols(c, whole_row);
  auto x = c.in<T>({rows, cols}, zl::normal());
  auto weight = c.in<T>({cols}, zl::normal());
  auto y = c.out<T>({rows, cols});
  c.impl("triton", rms_norm, y, x, weight, rows, cols);
  c.expect(y, rms_norm_rows, zl::same_rows(x), weight, cols).within(zl::tolerance<T>(cols));
}

}  // namespace

ZL_OP(triton_silu_and_mul, "rows", "cols");
ZL_OP(triton_softmax, "rows", "cols");
ZL_OP(triton_rms_norm, "rows", "cols");
