#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "device/device.hpp"
#include "measure/options.hpp"
#include "measure/result.hpp"

namespace zl {

/// Calls that the reference schedule times for its estimate, as do_bench does.
inline constexpr int reference_estimate_calls = 5;

/// Calls of the timed warm-up from the wall time of one call: trunc(budget / dt) within
/// [5, cap], where a budget of 0 or less means 25 ms and a dt of 0 or less 25 calls.
std::int64_t warmup_calls(double dt_ms, double warmup_ms, int cap);

/// Reference schedule: calls of one replay. An estimate that is zero, negative or not finite
/// gives 1000.
std::int64_t reference_repeat(double estimate_ms, double rep_ms);
/// Reference schedule, direct: warm-up calls and timed calls. Such an estimate gives 1 and 1000.
struct DirectCounts {
  std::int64_t warmup = 1;
  std::int64_t repeat = 1;
};
DirectCounts reference_direct_counts(double estimate_ms, double warmup_ms, double rep_ms);

/// Adaptive schedule: calls of one replay of about 2 ms, a multiple of `copies`, within the cap.
std::int64_t adaptive_repeat(double estimate_ms, std::int64_t copies, std::int64_t nodes_per_call,
                             std::int64_t node_cap);
/// The largest multiple of `copies` that is at most `repeat` and within the cap; 0: there is none.
std::int64_t within_cap(std::int64_t repeat, std::int64_t copies, std::int64_t nodes_per_call,
                        std::int64_t node_cap);

/// What lies before and behind every copy of an operand, for calls to leave as it is.
inline constexpr std::size_t fence_bytes = 256;
/// From one copy of an operand to the next: a multiple of 256, a fence included.
std::size_t copy_stride(std::size_t operand_bytes);

/// How operands are spread over copies so that a call finds its cold ones out of L2.
struct Rotation {
  Cache cache = Cache::warm;
  std::int64_t copies = 1;
  std::vector<bool> rotated;  ///< by operand
  std::string why_not;        ///< where rotation was asked for and is not possible
  /// A call touches so little that a sweep of the cache before it can be timed alone and
  /// subtracted: the way to cold where rotation is not possible.
  bool sweepable = false;
};

/// The cold rule: k copies with k t >= factor x L2, t = min(bytes of the cold operands, traffic),
/// at most a quarter of the memory and `cold_node_cap` calls in a replay. Sweepable: t <= 128 KiB.
Rotation choose_rotation(const Case& c, CacheChoice choice, ScheduleKind schedule,
                         const DeviceInfo& info, MemoryInfo memory, int factor = 4);

}  // namespace zl
