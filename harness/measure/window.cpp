#include "measure/window.hpp"

#include "measure/statistics.hpp"

namespace zl {

namespace {

constexpr double long_call_ms = 20;
constexpr std::size_t least_steps = 10;
constexpr std::size_t fewest_steps = 3;
constexpr double short_budget_ms = 250;
constexpr double long_budget_ms = 2000;
// A clock that stands still must not keep a window open.
constexpr std::size_t most_steps = 10000;
constexpr double gpu_half_width_pct = 0.1;
constexpr double host_half_width_pct = 1;
// After 100 ms a power-limited H200 has settled; from 800 ms on its power controller oscillates.
constexpr double sustained_from_ms = 150;
constexpr double sustained_until_ms = 600;
constexpr std::size_t least_sustained_samples = 3;

/// When it ended. The load has no gap there: what the device does between two reads of the clock
/// would be missing from the wall time that its timer is held against.
double untimed_step(Device& device, const Step& step, Window& window) {
  std::vector<double> discarded;
  const double begin = device.wall_ms();
  step(discarded);
  const double end = device.wall_ms();
  window.load_before_ms = end - begin;
  return end;
}

}  // namespace

Window burst_window(Device& device, std::int64_t calls_per_step, const Step& step,
                    BurstLimits limits) {
  device.idle(limits.gap_ms);
  Window window;
  const double start = untimed_step(device, step, window);
  const double call_ms = window.load_before_ms / static_cast<double>(calls_per_step);
  const bool is_long = call_ms >= long_call_ms;
  const std::size_t least = is_long ? fewest_steps : least_steps;
  const double budget = is_long ? long_budget_ms : short_budget_ms;
  const double target = device.info().is_gpu ? gpu_half_width_pct : host_half_width_pct;
  for (std::size_t steps = 1;; ++steps) {
    step(window.samples_ms);
    window.load_during_ms = device.wall_ms() - start;
    const double load = window.load_before_ms + window.load_during_ms;
    if (steps == most_steps || (steps >= fewest_steps && load >= budget)) break;
    if (steps < least) continue;
    if (load >= limits.load_ms) break;
    const auto half_width = stats::median_half_width_pct(window.samples_ms);
    if (half_width && *half_width < target) break;
  }
  return window;
}

Window fixed_window(Device& device, const Step& step, int steps) {
  Window window;
  const double start = untimed_step(device, step, window);
  for (int i = 0; i < steps; ++i) step(window.samples_ms);
  window.load_during_ms = device.wall_ms() - start;
  return window;
}

Window sustained_window(Device& device, const Step& step, double load_ms) {
  Window window;
  std::vector<double> discarded;
  const double start = device.wall_ms() - load_ms;
  double load = load_ms;
  for (std::size_t steps = 0; steps < most_steps && load < sustained_until_ms; ++steps) {
    const bool counts = load >= sustained_from_ms;
    if (!counts) window.load_before_ms = load;
    step(counts ? window.samples_ms : discarded);
    load = device.wall_ms() - start;
  }
  window.load_during_ms = load - window.load_before_ms;
  if (window.samples_ms.size() < least_sustained_samples) window.samples_ms.clear();
  return window;
}

}  // namespace zl
