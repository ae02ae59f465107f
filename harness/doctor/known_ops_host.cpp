#include <chrono>
#include <cstring>

#include "known_ops.hpp"

namespace zl::known {

void empty(Stream) {}

void spin(Stream, f32* done, i64 ns) {
  using namespace std::chrono;
  const auto end = steady_clock::now() + nanoseconds(ns);
  while (steady_clock::now() < end) {
  }
  *done = 1;
}

void copy(Stream, f32* y, const f32* x, i64 n) {
  std::memcpy(y, x, static_cast<std::size_t>(n) * sizeof(f32));
}

void axpy(Stream, f32* z, const f32* x, const f32* y, f32 a, i64 n) {
  for (i64 i = 0; i < n; ++i) z[i] = a * x[i] + y[i];
}

}  // namespace zl::known
