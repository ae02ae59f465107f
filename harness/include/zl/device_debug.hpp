#pragma once

namespace zl::detail {

/// Whether a source that includes zl-bench's headers was compiled with nvcc -G. Device code for the
/// debugger is many times slower, whatever the build type; of other sources it cannot be known.
inline bool device_debug = false;
#ifdef __CUDACC_DEBUG__
[[maybe_unused]] static const bool device_debug_noted = device_debug = true;
#endif

}  // namespace zl::detail
