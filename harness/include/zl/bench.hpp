#pragma once

/// What the author of a perf test includes.
#include "zl/case.hpp"
#include "zl/error.hpp"
#include "zl/registry.hpp"

namespace zl {

/// The backend that this source is compiled for, for `if constexpr` around an implementation that
/// only one of them has. zl_add_perf_test() defines the macros.
#if defined(ZL_BACKEND_CUDA)
inline constexpr bool on_cuda = true;
#else
inline constexpr bool on_cuda = false;
#endif
#if defined(ZL_BACKEND_MUSA)
inline constexpr bool on_musa = true;
#else
inline constexpr bool on_musa = false;
#endif
inline constexpr bool on_host = !on_cuda && !on_musa;

}  // namespace zl
