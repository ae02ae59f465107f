#pragma once

namespace zl {

/// Holds a sum of device times against the wall time of the load that they are of. Throws
/// `untimeable` where the sum is zero, negative, not finite or more than that.
void require_plausible_timer(double device_ms, double wall_ms);

}  // namespace zl
