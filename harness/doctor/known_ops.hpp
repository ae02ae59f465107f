#pragma once

#include "zl/stream.hpp"
#include "zl/types.hpp"

/// Ops whose time is known, or can be worked out: to check a machine and the harness with.
namespace zl::known {

/// Does nothing, as one kernel.
void empty(Stream stream);
/// Keeps one thread busy for `ns` of the device's own clock, then writes 1 to `done`.
void spin(Stream stream, f32* done, i64 ns);
/// y = x.
void copy(Stream stream, f32* y, const f32* x, i64 n);
/// z = a x + y.
void axpy(Stream stream, f32* z, const f32* x, const f32* y, f32 a, i64 n);

}  // namespace zl::known
