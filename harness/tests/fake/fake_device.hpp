#pragma once

#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "device/device.hpp"
#include "tests/fake/fault.hpp"

namespace zl::fake {

class FakeDevice;

struct Kernel {
  std::function<void()> body;
  double ms = 0;
  bool programmatic = false;  ///< starts before the kernel ahead of it has ended
};

struct FakeGraph {
  std::vector<Kernel> nodes;
  std::vector<std::size_t> cuts;  ///< an empty node ahead of node i
  std::int64_t allocations = 0;
};

struct FakeStream {
  FakeDevice* device = nullptr;
  double ready_ms = 0;    ///< virtual time at which its work is done
  bool blocking = false;  ///< waits for the legacy default stream and is waited for
  std::unique_ptr<FakeGraph> capture;
  bool invalid = false;  ///< the capture broke a rule
};

/// A GPU in virtual time. Work takes effect when it is enqueued, in order; its duration moves the
/// stream's clock, and synchronizing moves the host's. Any call can be told to fail.
class FakeDevice : public Device {
 public:
  FakeDevice();
  ~FakeDevice() override;

  // What a test sets.
  DeviceInfo fake_info;
  std::vector<Fault> faults;
  MemoryInfo fake_memory{std::size_t{8} << 30, std::size_t{8} << 30};
  bool supports_capture = true;
  double timer_scale = 1;  ///< of elapsed_ms(): 0 and below are broken timers
  double enqueue_ms = 0.002;
  double node_gap_ms = 0;
  double noise_sigma = 0;  ///< of the logarithm of a kernel's duration
  double sweep_ms = 0.035;
  double sweep_noise_ms = 0;             ///< standard deviation
  std::vector<ClockState> clock_states;  ///< one for each reading, the last one for the rest
  std::size_t lost_records = 0;          ///< of a trace
  double first_traced_scale = 1;         ///< of the kernels in a trace's first replay
  std::size_t persisting_cache_bytes = 0;
  std::int64_t persisting_window_bytes = 0;
  bool has_profiler = true;
  void seed_noise(std::uint64_t seed) { random_.seed(seed); }

  // What a test reads.
  std::map<std::string, int> calls;  ///< how often each Device function was called
  std::vector<std::string> log;      ///< in order, "phase:call"
  std::string current_phase;
  std::string profiled_range;  ///< empty where the profiler does not run
  bool dead = false;
  int live_streams = 0, live_events = 0, live_graphs = 0, live_execs = 0, live_blocks = 0;
  int open_captures() const;

  // What ops of tests call.
  void launch(FakeStream& stream, double ms, std::function<void()> body, bool programmatic = false);
  /// Moves the host's clock, as a reference that computes for long.
  void spend(double ms) { now_ms_ += ms; }
  FakeStream& private_stream(bool blocking);
  /// As cudaMalloc inside a call: refused where any stream is being captured.
  void allocate_in_call();
  /// As a stream synchronize inside a call.
  void synchronize_in_call(FakeStream& stream);

  // Device.
  const DeviceInfo& info() const override { return fake_info; }
  double wall_ms() override { return now_ms_; }
  void idle(double ms) override { now_ms_ += ms; }
  void mark(std::string_view phase) override { current_phase = phase; }
  MemoryInfo memory() override { return fake_memory; }
  void* allocate(std::size_t bytes) override;
  void release(void* pointer) noexcept override;
  void copy_to_device(void* to, const void* from, std::size_t bytes) override;
  void copy_to_host(void* to, const void* from, std::size_t bytes) override;
  void copy(void* to, const void* from, std::size_t bytes, Stream stream) override;
  void set_bytes(void* to, int byte, std::size_t bytes, Stream stream) override;
  void generate(void* to, DType type, std::int64_t count, const Fill& fill, std::uint64_t key,
                Stream stream) override;
  void poison(void* to, DType type, std::int64_t count, Stream stream) override;
  Comparison find_poison(const void* data, DType type, std::int64_t count, Stream stream) override;
  Comparison find_nonfinite(const void* data, DType type, std::int64_t count,
                            Stream stream) override;
  Comparison compare(const void* got, const void* want, DType type, std::int64_t count,
                     Tolerance tolerance, Stream stream) override;
  void sweep(const void* memory, std::size_t bytes, Stream stream) override;
  Stream create_stream() override;
  void destroy(Stream stream) noexcept override;
  Stream default_stream() override { return Stream(&default_stream_); }
  void synchronize(Stream stream) override;
  void synchronize() override;
  void wait(Stream waiting, Stream awaited) override;
  Event create_event() override;
  void destroy(Event event) noexcept override;
  void record(Event event, Stream stream) override;
  void synchronize(Event event) override;
  double elapsed_ms(Event start, Event end) override;
  void submit(const CallFunction& call, const Launch& launch) override;
  bool supports_graph_capture() override;
  void begin_capture(Stream stream) override;
  Graph end_capture(Stream stream) override;
  bool is_capturing(Stream stream) override;
  void cut_capture(Stream stream) override;
  GraphStructure inspect(Graph graph) override;
  std::string dot(Graph graph) override;
  void destroy(Graph graph) noexcept override;
  GraphExec instantiate(Graph graph) override;
  void upload(GraphExec exec, Stream stream) override;
  void launch(GraphExec exec, Stream stream) override;
  void destroy(GraphExec exec) noexcept override;
  Generator* generator() override { return with_generator ? &generator_ : nullptr; }
  void clear_last_error() noexcept override { ++calls["clear_last_error"]; }
  bool probe() noexcept override;
  ClockState clocks() override;
  std::size_t reset_persisting_cache() override;
  std::vector<TraceRecord> trace(const std::function<void()>& work) override;
  bool start_profiler(const std::string& range) override;
  void stop_profiler() override;

  bool with_generator = true;

 private:
  /// Counts the call; fails, hangs or crashes where a fault says so.
  void enter(const std::string& call);
  const Fault* next_fault(const std::string& call);
  void fail(const Fault& fault, const std::string& call);
  void run(FakeStream& stream, const Kernel& kernel);
  void report_pending(const std::string& call);
  double duration(double ms);
  double drained_ms(const FakeStream& stream) const;
  std::vector<TraceRecord>* traced_ = nullptr;
  double scale_ = 1;  ///< of the kernels of this replay

  double now_ms_ = 1000;
  std::mt19937_64 random_{1};
  Generator generator_{"fake:0", 42};
  std::vector<std::unique_ptr<FakeStream>> streams_;
  FakeStream default_stream_;
  std::unique_ptr<Fault> pending_;  ///< of a kernel that failed while it ran
};

/// The stream of a call as an op of a test sees it.
inline FakeStream& stream_of(Stream stream) { return *static_cast<FakeStream*>(stream.handle()); }
/// Launches a kernel of `ms` on the stream of a call.
inline void launch(Stream stream, double ms, std::function<void()> body) {
  stream_of(stream).device->launch(stream_of(stream), ms, std::move(body));
}

}  // namespace zl::fake
