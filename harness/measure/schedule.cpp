#include "measure/schedule.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace zl {

namespace {

constexpr double default_warmup_ms = 25;
constexpr std::int64_t default_warmup_calls = 25;
constexpr std::int64_t least_warmup_calls = 5;
constexpr double replay_ms = 2;
constexpr std::int64_t repeat_without_estimate = 1000;
// Above this a sweep also pays for writing back what the call wrote: up to 20 % on an H200.
constexpr double most_sweepable_bytes = 128 << 10;
// Far above every cap, far below the largest integer.
constexpr double most_calls = 1e12;

bool usable(double estimate_ms) { return std::isfinite(estimate_ms) && estimate_ms > 0; }

std::int64_t truncated(double calls) {
  return static_cast<std::int64_t>(std::min(calls, most_calls));
}

std::int64_t at_least_one(double calls) { return std::max<std::int64_t>(1, truncated(calls)); }

std::string whole(double number) {
  char text[400];
  std::snprintf(text, sizeof text, "%.0f", number);
  return text;
}

}  // namespace

std::size_t copy_stride(std::size_t operand_bytes) {
  return (operand_bytes + 255) / 256 * 256 + fence_bytes;
}

std::int64_t warmup_calls(double dt_ms, double warmup_ms, int cap) {
  const double budget = warmup_ms > 0 ? warmup_ms : default_warmup_ms;
  const std::int64_t calls = dt_ms > 0 ? truncated(budget / dt_ms) : default_warmup_calls;
  return std::clamp<std::int64_t>(calls, least_warmup_calls,
                                  std::max<std::int64_t>(cap, least_warmup_calls));
}

std::int64_t reference_repeat(double estimate_ms, double rep_ms) {
  if (!usable(estimate_ms)) return repeat_without_estimate;
  return at_least_one(rep_ms / estimate_ms);
}

DirectCounts reference_direct_counts(double estimate_ms, double warmup_ms, double rep_ms) {
  if (!usable(estimate_ms)) return {1, repeat_without_estimate};
  return {at_least_one(warmup_ms / estimate_ms), at_least_one(rep_ms / estimate_ms)};
}

std::int64_t within_cap(std::int64_t repeat, std::int64_t copies, std::int64_t nodes_per_call,
                        std::int64_t node_cap) {
  const std::int64_t most = node_cap / std::max<std::int64_t>(1, nodes_per_call);
  return std::min(repeat, most) / copies * copies;
}

std::int64_t adaptive_repeat(double estimate_ms, std::int64_t copies, std::int64_t nodes_per_call,
                             std::int64_t node_cap) {
  const double wanted =
      usable(estimate_ms) ? replay_ms / estimate_ms : static_cast<double>(repeat_without_estimate);
  const std::int64_t whole = (at_least_one(std::round(wanted)) + copies - 1) / copies * copies;
  return within_cap(whole, copies, nodes_per_call, node_cap);
}

Rotation choose_rotation(const Case& c, CacheChoice choice, ScheduleKind schedule,
                         const DeviceInfo& info, MemoryInfo memory, int factor) {
  Rotation rotation;
  rotation.rotated.assign(c.operands.size(), false);
  const bool declares_warm = std::any_of(c.operands.begin(), c.operands.end(),
                                         [](const OperandSpec& o) { return o.warm; });
  if (choice == CacheChoice::automatic) {
    choice = schedule == ScheduleKind::reference ? CacheChoice::warm
             : declares_warm                     ? CacheChoice::mixed
                                                 : CacheChoice::cold;
  }
  if (choice == CacheChoice::warm) return rotation;
  // Without a warm operand there is nothing to mix.
  const bool mixed = choice == CacheChoice::mixed && declares_warm;

  double cold_bytes = 0;
  double warm_bytes = 0;
  std::size_t copy_bytes = 0;
  for (std::size_t i = 0; i < c.operands.size(); ++i) {
    const OperandSpec& operand = c.operands[i];
    if (operand.role == Role::scratch) continue;
    if (mixed && operand.warm) {
      warm_bytes += static_cast<double>(operand.bytes()) * (operand.role == Role::inout ? 2 : 1);
      continue;
    }
    rotation.rotated[i] = true;
    cold_bytes += static_cast<double>(operand.bytes());
    copy_bytes += copy_stride(operand.bytes());
  }
  // What is declared counts the warm operands too.
  const double touched = std::min(cold_bytes, c.traffic_bytes() - warm_bytes);
  const auto give_up = [&](const std::string& why) {
    rotation.rotated.assign(c.operands.size(), false);
    rotation.why_not = why;
    if (!info.can_sweep) rotation.why_not += "; " + info.backend + " has no sweep of its cache";
    return rotation;
  };
  if (!(touched > 0)) return give_up("a call touches no cold operand");
  // A sweep would make warm operands cold as well.
  rotation.sweepable = info.can_sweep && !mixed && touched <= most_sweepable_bytes;
  const double copies =
      std::max(1.0, std::ceil(factor * static_cast<double>(info.l2_bytes) / touched));
  const double bytes = copies * static_cast<double>(copy_bytes);
  if (copies > info.cold_node_cap) {
    return give_up("rotation needs " + whole(copies) + " copies, more than the " +
                   std::to_string(info.cold_node_cap) + " nodes of a graph");
  }
  if (copies > 1 && bytes > static_cast<double>(memory.total_bytes) / 4) {
    return give_up("rotation needs " + whole(bytes) + " bytes, more than a quarter of the memory");
  }
  if (copies > 1 && bytes > static_cast<double>(memory.free_bytes)) {
    return give_up("rotation needs " + whole(bytes) + " bytes, " +
                   std::to_string(memory.free_bytes) + " are free");
  }
  rotation.cache = mixed ? Cache::mixed : Cache::cold;
  rotation.copies = truncated(copies);
  return rotation;
}

}  // namespace zl
