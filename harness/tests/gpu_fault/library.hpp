#pragma once

#include <cstdint>

#include "zl/stream.hpp"

/// y = x with so many threads a block, by a shared library that holds its own CUDA runtime.
extern "C" __attribute__((visibility("default"))) void zl_fault_library_copy(
    zl::Stream stream, float* y, const float* x, std::int64_t n, int threads);
