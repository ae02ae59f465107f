#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "device/generator.hpp"
#include "device/trace_record.hpp"
#include "zl/case.hpp"

namespace zl {

/// What is known of a device without creating a context on it.
struct DeviceIdentity {
  int ordinal = 0;   ///< among the visible devices
  std::string uuid;  ///< names the device's lock
  std::string name;
};

struct DeviceInfo {
  DeviceIdentity identity;
  std::string backend;  ///< "host", "cuda", "musa"
  std::string driver;   ///< versions as the vendor prints them; empty where there is none
  std::string runtime;
  std::string architecture;  ///< of a GPU, as its compiler names it: "90"
  std::size_t l2_bytes = 0;  ///< the cache that cold operands must not be in: L2, on host the LLC
  std::size_t memory_bytes = 0;
  std::optional<double> peak_bandwidth_GBps;
  /// Dense peak rate in TFLOP/s of arithmetic on a type, where known.
  std::function<std::optional<double>(DType)> peak_TFLOPS;
  int node_cap = 10000;       ///< most nodes of a timed graph
  int cold_node_cap = 10000;  ///< the same where a rotation needs them
  bool is_gpu = false;        ///< stops a burst at a half-width of 0.1 % instead of 1 %
  bool can_sweep = false;     ///< sweep() is short and steady enough to be subtracted
};

struct MemoryInfo {
  std::size_t free_bytes = 0;
  std::size_t total_bytes = 0;
};

/// Clock and power state where the backend can read it; -1 and empty where it cannot.
struct ClockState {
  int sm_mhz = -1;
  int memory_mhz = -1;
  double power_limit_w = -1;
  std::string limit_reasons;  ///< vendor's names, comma-separated
  bool slowed = false;        ///< one of them is heat or a fault of the hardware, not the power cap
  int processes = -1;         ///< that hold a context on the device, this one included
  std::string unknown;        ///< why nothing could be read
};

/// What a comparison of two buffers, or of one with a pattern, found.
struct Comparison {
  std::int64_t differing = 0;
  std::int64_t first = -1;  ///< index of the first differing element
};

struct Event {
  void* handle = nullptr;
};
struct Graph {
  void* handle = nullptr;
  explicit operator bool() const { return handle != nullptr; }
};
struct GraphExec {
  void* handle = nullptr;
};

/// What a captured graph is made of, child graphs and bodies included.
struct GraphStructure {
  std::int64_t nodes = 0;  ///< of work: kernels, copies, memsets, host functions
  std::int64_t allocations = 0;
  std::int64_t programmatic_edges = 0;  ///< across which a kernel starts before the other ends
  std::int64_t persisting_bytes = 0;    ///< largest window that a kernel asks L2 to keep
};

/// One implementation's call with its copies of the operands.
using CallFunction = std::function<void(const Launch&)>;

/// A device as the measurement sees it. Every function that can fail throws zl::Error with the
/// vendor's code, name and call. Not thread-safe: one case, one thread, one device.
class Device {
 public:
  virtual ~Device() = default;
  virtual const DeviceInfo& info() const = 0;

  // Time. The fake device replaces all three.
  virtual double wall_ms();
  virtual void idle(double ms);

  /// The measurement enters a phase: for tools that watch the device, and for the fake device.
  virtual void mark(std::string_view phase) { static_cast<void>(phase); }

  // Memory. allocate() throws out_of_memory with bytes asked and free in its text.
  virtual MemoryInfo memory() = 0;
  virtual void* allocate(std::size_t bytes) = 0;
  virtual void release(void* pointer) noexcept = 0;
  virtual void copy_to_device(void* to, const void* from, std::size_t bytes) = 0;
  virtual void copy_to_host(void* to, const void* from, std::size_t bytes) = 0;
  virtual void copy(void* to, const void* from, std::size_t bytes, Stream stream) = 0;
  virtual void set_bytes(void* to, int byte, std::size_t bytes, Stream stream) = 0;

  // The harness's own kernels.
  /// Draws elements [0, count) of an input, the same on every backend.
  virtual void generate(void* to, DType type, std::int64_t count, const Fill& fill,
                        std::uint64_t key, Stream stream) = 0;
  /// Writes the poison of `type` (measure/poison.hpp) into every element.
  virtual void poison(void* to, DType type, std::int64_t count, Stream stream) = 0;
  /// How many elements still hold it. Synchronizes `stream`.
  virtual Comparison find_poison(const void* data, DType type, std::int64_t count,
                                 Stream stream) = 0;
  /// How many elements of a floating type are NaN or infinite. Synchronizes `stream`.
  virtual Comparison find_nonfinite(const void* data, DType type, std::int64_t count,
                                    Stream stream) = 0;
  /// |got - want| > absolute + relative |want|, or one of them NaN. Synchronizes `stream`.
  virtual Comparison compare(const void* got, const void* want, DType type, std::int64_t count,
                             Tolerance tolerance, Stream stream) = 0;

  /// Reads `bytes` of memory, to fill the cache with them. Only where info().can_sweep.
  virtual void sweep(const void* memory, std::size_t bytes, Stream stream) = 0;

  // Streams and events.
  virtual Stream create_stream() = 0;  ///< does not wait for the legacy default stream
  virtual void destroy(Stream stream) noexcept = 0;
  virtual Stream default_stream() = 0;  ///< the legacy default stream
  virtual void synchronize(Stream stream) = 0;
  virtual void synchronize() = 0;  ///< the whole device
  virtual void wait(Stream waiting, Stream awaited) = 0;
  virtual Event create_event() = 0;
  virtual void destroy(Event event) noexcept = 0;
  virtual void record(Event event, Stream stream) = 0;
  virtual void synchronize(Event event) = 0;
  virtual double elapsed_ms(Event start, Event end) = 0;

  /// Puts one call on its stream: a GPU runs the function now, which enqueues kernels; host
  /// queues it, or records it where the stream is being captured.
  virtual void submit(const CallFunction& call, const Launch& launch) = 0;

  // Capture and graphs. begin_capture() is thread-local.
  virtual bool supports_graph_capture() = 0;
  virtual void begin_capture(Stream stream) = 0;
  virtual Graph end_capture(Stream stream) = 0;
  virtual bool is_capturing(Stream stream) = 0;
  /// While `stream` is captured: an empty node, which whatever follows waits for whole.
  virtual void cut_capture(Stream stream) = 0;
  virtual GraphStructure inspect(Graph graph) = 0;
  /// inspect().nodes alone, for large graphs.
  virtual std::int64_t count_nodes(Graph graph) { return inspect(graph).nodes; }
  /// The graph in the DOT language, for people.
  virtual std::string dot(Graph graph) = 0;
  virtual void destroy(Graph graph) noexcept = 0;
  virtual GraphExec instantiate(Graph graph) = 0;
  virtual void upload(GraphExec exec, Stream stream) = 0;
  virtual void launch(GraphExec exec, Stream stream) = 0;
  virtual void destroy(GraphExec exec) noexcept = 0;

  // Drawn numbers; null on a backend without generators.
  virtual Generator* generator() { return nullptr; }

  // After a failure.
  virtual void clear_last_error() noexcept = 0;
  /// Allocate, memset, a known kernel, copy back, compare. False: the context is dead.
  virtual bool probe() noexcept = 0;

  virtual ClockState clocks() { return {}; }
  /// Lets go of every line that persists in L2; bytes set aside for such lines where that is more
  /// than at the start, else 0.
  virtual std::size_t reset_persisting_cache() { return 0; }
  /// Runs `work`, which waits for what it enqueues, under the vendor's profiler: its operations in
  /// the order of their start. A usage error where the backend has none. It may slow down
  /// everything that the process runs afterwards.
  virtual std::vector<TraceRecord> trace(const std::function<void()>& work);
  /// A profiler around this process records from here to stop_profiler(), in a range of that name.
  /// False: the backend has no such marks.
  virtual bool start_profiler(const std::string& range);
  virtual void stop_profiler() {}
};

/// What an executable's backend provides.
struct Backend {
  virtual ~Backend() = default;
  virtual std::string name() const = 0;
  /// The visible devices, without creating a context. Throws no_device with the reason where the
  /// runtime finds none.
  virtual std::vector<DeviceIdentity> devices() const = 0;
  virtual std::unique_ptr<Device> open(const DeviceIdentity& device) const = 0;
};

/// The backend that this executable was built for; defined once in each backend's library.
const Backend& backend();

}  // namespace zl
