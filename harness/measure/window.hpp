#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "device/device.hpp"
#include "measure/options.hpp"

namespace zl {

/// Timed observations and the load under which they were made.
struct Window {
  std::vector<double> samples_ms;  ///< of one call each, in the order measured
  double load_before_ms = 0;       ///< of continuous load before the first sample
  double load_during_ms = 0;
  double load_ms() const { return load_before_ms + load_during_ms; }
};

/// One step of load: enqueues and times it, and appends what it observed.
using Step = std::function<void(std::vector<double>& samples_ms)>;

/// How long the device rests before a burst, and how long that may load it.
struct BurstLimits {
  double gap_ms = 10;
  double load_ms = 40;
};
/// For calls that may draw the full power: an H200 needs such a rest until its clocks are those of
/// a rested device again, and the power cap may bite from 25 ms of load on.
inline constexpr BurstLimits power_hungry{100, 25};

/// The burst window of the adaptive schedule: after an idle gap and one untimed step at most
/// 40 ms of load, at least 10 steps (3 where a call takes 20 ms and more), stopped earlier where
/// the median's half-width is small enough; bounded by a budget of 250 ms, 2 s for long calls,
/// but never below 3 steps.
Window burst_window(Device& device, std::int64_t calls_per_step, const Step& step,
                    BurstLimits limits = {});

/// A fixed number of steps after one untimed: the reference schedule.
Window fixed_window(Device& device, const Step& step, int steps);

/// Continuous load, `load_ms` of which have already passed; the samples from 150 to 600 ms of it.
/// Fewer than three: empty.
Window sustained_window(Device& device, const Step& step, double load_ms = 0);

}  // namespace zl
