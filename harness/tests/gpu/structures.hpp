#pragma once

#include <cstdint>

#include "zl/stream.hpp"

/// Calls whose structure in a graph is out of the ordinary. Each writes 1 to `done`, after about
/// `ns` of spinning where it takes a time.
namespace zl {

void launch_spin(Stream stream, float* done, std::int64_t ns);
/// Its kernel may start, and lets the next one start, before the one ahead of it has ended.
void launch_programmatic_spin(Stream stream, float* done, std::int64_t ns);
/// `done` has two elements; each is written from a stream of its own, at the same time.
void launch_fork_and_join(Stream stream, float* done, std::int64_t ns);
/// With scratch memory allocated and freed in stream order.
void launch_with_allocation(Stream stream, float* done);
/// Its kernel asks L2 to keep the `bytes` at `kept`.
void launch_persisting(Stream stream, float* done, unsigned char* kept, std::int64_t bytes);
/// y[i] = table[row * n + i].
void launch_gather(Stream stream, float* y, const float* table, std::int64_t row, std::int64_t n);
/// y[i] += x[i].
void launch_accumulate(Stream stream, float* y, const float* x, std::int64_t n);

}  // namespace zl
