#pragma once

#include "device/device.hpp"

namespace zl {

/// Holds a sum of device times against the wall clock since construction.
class TimerCheck {
 public:
  explicit TimerCheck(Device& device) : device_(device), start_ms_(device.wall_ms()) {}
  /// Throws `untimeable` where the sum is zero, negative, not finite or more than the wall clock.
  void require_plausible(double device_ms) const;

 private:
  Device& device_;
  double start_ms_;
};

}  // namespace zl
