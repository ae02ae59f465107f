#pragma once

namespace ops {

/// Whether this source is built with cuDNN: for CUDA, in an op that links to it, and it was found.
#ifdef ZL_WITH_CUDNN
inline constexpr bool with_cudnn = true;
#else
inline constexpr bool with_cudnn = false;
#endif

}  // namespace ops
