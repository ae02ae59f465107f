#include "device/gpu/gpu_backend.hpp"
#include "device/musa/musa_api.hpp"

namespace zl {

const Backend& backend() {
  static const GpuBackend<MusaApi> musa;
  return musa;
}

}  // namespace zl
