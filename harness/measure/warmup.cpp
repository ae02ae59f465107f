#include "measure/warmup.hpp"

namespace zl {

Warmup warm_up(Device& device, Calls& calls, const Options& options, Stream stream) {
  const bool resets = calls.definition().has_resets();
  calls.reset_all(stream);
  Warmup result;
  // The whole device: an op that ignores its stream still gets true eager times.
  const auto call = [&] {
    if (resets) calls.enqueue_resets(stream, result.calls);
    calls.enqueue(stream, result.calls++);
  };
  call();
  device.synchronize();

  double start = device.wall_ms();
  call();
  device.synchronize();
  result.call_ms = device.wall_ms() - start;

  const std::int64_t count = warmup_calls(result.call_ms, options.warmup_ms, options.warmup_cap);
  double enqueueing = 0;
  start = device.wall_ms();
  for (std::int64_t i = 0; i < count; ++i) {
    if (resets) calls.enqueue_resets(stream, result.calls);
    const double before = device.wall_ms();
    calls.enqueue(stream, result.calls++);
    enqueueing += device.wall_ms() - before;
  }
  device.synchronize();
  const double calls_made = static_cast<double>(count);
  result.eager_ms = (device.wall_ms() - start) / calls_made;
  result.host_enqueue_ms = enqueueing / calls_made;
  return result;
}

}  // namespace zl
