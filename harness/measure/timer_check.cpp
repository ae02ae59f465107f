#include "measure/timer_check.hpp"

#include <cmath>
#include <string>

#include "zl/error.hpp"

namespace zl {

namespace {

// Two oscillators differ by parts per million; an event is stamped to within a microsecond or so.
constexpr double clock_drift = 0.001;
constexpr double resolution_ms = 0.01;

}  // namespace

void require_plausible_timer(double device_ms, double wall_ms) {
  const std::string both =
      std::to_string(device_ms) + " ms by events, " + std::to_string(wall_ms) + " ms by wall clock";
  if (!std::isfinite(device_ms) || device_ms <= 0) {
    throw Error(Errc::untimeable, "the device's timer shows no time: " + both);
  }
  if (device_ms > wall_ms * (1 + clock_drift) + resolution_ms) {
    throw Error(Errc::untimeable, "the device's timer runs ahead of the wall clock: " + both);
  }
}

}  // namespace zl
