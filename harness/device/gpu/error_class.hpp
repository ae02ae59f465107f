#pragma once

#include "zl/error.hpp"

namespace zl::gpu {

/// What a runtime's error number means for the process. CUDA's numbers (CUDA 13 runtime header);
/// MUSA uses the same. What is neither a capture rule nor sticky is left to the probe.
inline Errc classify(int code) {
  switch (code) {
    case 2:
      return Errc::out_of_memory;
    case 900:
    case 901:
    case 902:
    case 903:
    case 904:
    case 905:
    case 906:
    case 907:
    case 908:
    case 910:
      return Errc::capture_rule;
    case 214:  // uncorrectable ECC error
    case 220:  // uncorrectable NVLink error
    case 226:
    case 700:
    case 702:
    case 710:
    case 714:
    case 715:
    case 716:
    case 717:
    case 718:
    case 719:
    case 721:
    case 810:
    case 911:
      return Errc::sticky;
    default:
      return Errc::device;
  }
}

/// Failures of the hardware itself: the message has to name the device.
inline bool is_hardware_failure(int code) { return code == 214 || code == 220; }

}  // namespace zl::gpu
