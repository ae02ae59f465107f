#pragma once

#include <string>

#include "device/device.hpp"

namespace zl::gpu {

/// What a person can do about a runtime's error; empty: the runtime's own text says enough. CUDA's
/// numbers (CUDA 13 runtime header); MUSA uses the same.
template <class Api>
std::string advice(int code, const DeviceInfo& device) {
  const std::string option = "-D" + std::string(Api::architectures) + "=" + device.architecture;
  switch (code) {
    case 98:   // a device function that is not there
    case 209:  // no kernel image
      return "nothing here was built for " + device.identity.name + ", architecture " +
             device.architecture + ": configure with " + option + " and build again";
    case 222:  // PTX of a newer toolkit
      return "the driver (" + device.driver + ") is older than the toolkit (" + device.runtime +
             "): update it, or build for the device itself: " + option;
    default:
      return "";
  }
}

}  // namespace zl::gpu
