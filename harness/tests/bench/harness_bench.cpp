// What the harness itself costs. Each pair of benchmarks does the same work on a device that does
// nothing, once by hand and once through the harness; the difference is ours.
#include <benchmark/benchmark.h>

#include <random>

#include "measure/calls.hpp"
#include "measure/summary.hpp"
#include "measure/timed_graph.hpp"
#include "tests/fake/fake_device.hpp"
#include "zl/bench.hpp"

namespace zl {
namespace {

/// The fake device without its log and clock.
struct NullDevice : fake::FakeDevice {
  void record(Event, Stream) override {}
  void launch(GraphExec, Stream) override {}
  void synchronize(Event) override {}
  double elapsed_ms(Event, Event) override { return 1; }
};

void add(Stream, float* out, const float* a, const float* b, std::int64_t n) {
  benchmark::DoNotOptimize(out);
  benchmark::DoNotOptimize(a);
  benchmark::DoNotOptimize(b);
  benchmark::DoNotOptimize(n);
}

struct Set {
  NullDevice device;
  Case c{{"add", "f32", {"n"}, {64}}};
  Rotation rotation;
  std::unique_ptr<Buffers> buffers;
  std::unique_ptr<Calls> calls;

  Set() {
    const auto a = c.in<float>({64}, normal());
    const auto b = c.in<float>({64}, normal());
    const auto y = c.out<float>({64});
    c.impl("own", add, y, a, b, std::int64_t{64});
    rotation.rotated.assign(3, true);
    rotation.copies = 64;
    buffers = std::make_unique<Buffers>(device, c, rotation, 1);
    calls = std::make_unique<Calls>(device, c, c.implementations[0], *buffers);
  }
};

void call_by_hand(benchmark::State& state) {
  Set set;
  void* const* p = set.buffers->pointers(0);
  const CallFunction function = [&](const Launch& launch) {
    add(launch.stream(), static_cast<float*>(p[2]), static_cast<float*>(p[0]),
        static_cast<float*>(p[1]), 64);
  };
  const Launch launch(set.device.default_stream(), p, nullptr);
  for (auto _ : state) set.device.submit(function, launch);
}
BENCHMARK(call_by_hand);

void call_through_the_harness(benchmark::State& state) {
  Set set;
  std::int64_t index = 0;
  for (auto _ : state) set.calls->enqueue(set.device.default_stream(), index++);
}
BENCHMARK(call_through_the_harness);

void replay_by_hand(benchmark::State& state) {
  Set set;
  Device& device = set.device;
  const Stream stream = device.default_stream();
  for (auto _ : state) {
    device.record({}, stream);
    device.launch(GraphExec{}, stream);
    device.record({}, stream);
    device.synchronize(Event{});
    benchmark::DoNotOptimize(device.elapsed_ms({}, {}));
  }
}
BENCHMARK(replay_by_hand);

void replay_through_the_harness(benchmark::State& state) {
  Set set;
  const OwnedStream side(set.device);
  set.device.begin_capture(side.get());
  TimedGraph graph(set.device, {set.device, set.device.end_capture(side.get())}, 1);
  for (auto _ : state) {
    benchmark::DoNotOptimize(graph.replay_ms(set.device.default_stream()));
  }
}
BENCHMARK(replay_through_the_harness);

void operand_lookup(benchmark::State& state) {
  Set set;
  const Launch launch(Stream(), set.buffers->pointers(5), nullptr);
  const Operand<const float> a(&set.c, 0);
  for (auto _ : state) benchmark::DoNotOptimize(launch.ptr(a));
}
BENCHMARK(operand_lookup);

void summary_of_a_million_samples(benchmark::State& state) {
  Set set;
  std::mt19937_64 random(1);
  std::normal_distribution<double> around(0.01, 0.0001);
  Timing timing;
  for (int i = 0; i < 1000000; ++i) timing.window.samples_ms.push_back(around(random));
  const Options options;
  for (auto _ : state) {
    Result result;
    summarize(timing, {}, set.c, options, set.device.info(), result);
    benchmark::DoNotOptimize(result.metrics);
  }
}
BENCHMARK(summary_of_a_million_samples)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace zl

BENCHMARK_MAIN();
