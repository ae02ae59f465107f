#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "device/device.hpp"
#include "device/gpu/error_advice.hpp"
#include "device/gpu/gpu_check.hpp"
#include "device/gpu/gpu_graph.hpp"
#include "device/gpu/gpu_info.hpp"
#include "device/gpu/gpu_kernels.hpp"
#include "device/gpu/printed_graph.hpp"

namespace zl {

/// A GPU behind its vendor's runtime. `Api` (CudaApi) is the runtime: types, constants and static
/// functions that return its error codes.
template <class Api>
class GpuDevice final : public Device {
 public:
  explicit GpuDevice(const DeviceIdentity& identity)
      : info_(gpu::opened<Api>(identity)),
        clocks_(identity.uuid),
        generator_(info_.backend + ":" + std::to_string(identity.ordinal), 0) {
    const std::string driver = clocks_.driver_version();
    if (!driver.empty()) info_.driver = driver;
    check(Api::reset_persisting_cache(&set_aside_at_start_), "CtxResetPersistingL2Cache");
    order_ = create_event();
    findings_ = static_cast<gpu::Findings*>(allocate(sizeof(gpu::Findings)));
  }
  ~GpuDevice() override {
    release(findings_);
    destroy(order_);
  }
  GpuDevice(const GpuDevice&) = delete;
  GpuDevice& operator=(const GpuDevice&) = delete;

  const DeviceInfo& info() const override { return info_; }

  // Memory.
  MemoryInfo memory() override {
    MemoryInfo info;
    check(Api::memory_info(&info.free_bytes, &info.total_bytes), "MemGetInfo");
    return info;
  }
  void* allocate(std::size_t bytes) override {
    void* pointer = nullptr;
    const int code = Api::malloc(&pointer, bytes);
    if (code == Api::error_out_of_memory) throw out_of_memory(bytes);
    check(code, "Malloc");
    return pointer;
  }
  void release(void* pointer) noexcept override {
    if (Api::free(pointer) != 0) clear_last_error();
  }
  // A copy from or to host memory is on the legacy default stream, which our streams do not wait
  // for, and one from pageable memory may return before it has arrived.
  void copy_to_device(void* to, const void* from, std::size_t bytes) override {
    synchronize();
    check(Api::copy_to_device(to, from, bytes), "Memcpy");
    synchronize();
  }
  void copy_to_host(void* to, const void* from, std::size_t bytes) override {
    synchronize();
    check(Api::copy_to_host(to, from, bytes), "Memcpy");
  }
  void copy(void* to, const void* from, std::size_t bytes, Stream stream) override {
    check(Api::copy_async(to, from, bytes, stream), "MemcpyAsync");
  }
  void set_bytes(void* to, int byte, std::size_t bytes, Stream stream) override {
    check(Api::memset_async(to, byte, bytes, stream), "MemsetAsync");
  }

  // The harness's own kernels.
  void generate(void* to, DType type, std::int64_t count, const Fill& fill, std::uint64_t key,
                Stream stream) override {
    check(gpu::generate(to, type, count, plan(fill), key, stream), "LaunchKernel");
  }
  void poison(void* to, DType type, std::int64_t count, Stream stream) override {
    check(gpu::poison(to, type, count, stream), "LaunchKernel");
  }
  Comparison find_poison(const void* data, DType type, std::int64_t count, Stream stream) override {
    check(gpu::find_poison(data, type, count, findings_, stream), "LaunchKernel");
    return found(stream);
  }
  Comparison find_nonfinite(const void* data, DType type, std::int64_t count,
                            Stream stream) override {
    check(gpu::find_nonfinite(data, type, count, findings_, stream), "LaunchKernel");
    return found(stream);
  }
  Comparison compare(const void* got, const void* want, DType type, std::int64_t count,
                     Tolerance tolerance, Stream stream) override {
    check(gpu::find_differing(got, want, type, count, tolerance.relative, tolerance.absolute,
                              findings_, stream),
          "LaunchKernel");
    return found(stream);
  }

  void sweep(const void* memory, std::size_t bytes, Stream stream) override {
    check(gpu::sweep(memory, bytes, stream), "LaunchKernel");
  }

  // Streams and events.
  Stream create_stream() override {
    typename Api::StreamHandle stream{};
    check(Api::stream_create(&stream), "StreamCreateWithFlags");
    return Stream(stream);
  }
  void destroy(Stream stream) noexcept override {
    if (stream.handle() != nullptr && Api::stream_destroy(stream) != 0) clear_last_error();
  }
  Stream default_stream() override { return Stream(nullptr); }
  void synchronize(Stream stream) override {
    check(Api::stream_synchronize(stream), "StreamSynchronize");
  }
  void synchronize() override { check(Api::device_synchronize(), "DeviceSynchronize"); }
  void wait(Stream waiting, Stream awaited) override {
    record(order_, awaited);
    check(Api::stream_wait_event(waiting, native(order_)), "StreamWaitEvent");
  }
  Event create_event() override {
    typename Api::EventHandle event{};
    check(Api::event_create(&event), "EventCreate");
    return {event};
  }
  void destroy(Event event) noexcept override {
    if (event.handle != nullptr && Api::event_destroy(native(event)) != 0) clear_last_error();
  }
  void record(Event event, Stream stream) override {
    check(Api::event_record(native(event), stream), "EventRecord");
  }
  void synchronize(Event event) override {
    check(Api::event_synchronize(native(event)), "EventSynchronize");
  }
  double elapsed_ms(Event start, Event end) override {
    float ms = 0;
    check(Api::event_elapsed(&ms, native(start), native(end)), "EventElapsedTime");
    return ms;
  }

  /// An implementation that ignores what its launches returned is caught here by the last error.
  void submit(const CallFunction& call, const Launch& launch) override {
    try {
      call(launch);
    } catch (const Error& e) {
      rethrow_with_advice(e);
    }
    check(Api::peek_at_last_error(), "PeekAtLastError");
  }

  // Capture and graphs.
  bool supports_graph_capture() override {
    int driver = 0;
    int runtime = 0;
    check(Api::driver_version(&driver), "DriverGetVersion");
    check(Api::runtime_version(&runtime), "RuntimeGetVersion");
    return std::min(driver, runtime) >= Api::first_version_with_graphs;
  }
  void begin_capture(Stream stream) override {
    check(Api::begin_capture(stream), "StreamBeginCapture");
  }
  Graph end_capture(Stream stream) override {
    typename Api::GraphHandle graph{};
    const int code = Api::end_capture(stream, &graph);
    if (code != 0) destroy(Graph{graph});
    check(code, "StreamEndCapture");
    return {graph};
  }
  bool is_capturing(Stream stream) override {
    bool capturing = false;
    check(Api::is_capturing(stream, &capturing), "StreamIsCapturing");
    return capturing;
  }
  void cut_capture(Stream stream) override {
    check(Api::add_empty_node_to_capture(stream), "GraphAddEmptyNode");
  }
  GraphStructure inspect(Graph graph) override {
    return Walk(Walk::Detail::all).structure(native(graph));
  }
  std::int64_t count_nodes(Graph graph) override {
    return Walk(Walk::Detail::nodes).structure(native(graph)).nodes;
  }
  std::string dot(Graph graph) override { return gpu::printed_graph<Api>(native(graph)); }
  void destroy(Graph graph) noexcept override {
    if (graph && Api::graph_destroy(native(graph)) != 0) clear_last_error();
  }
  GraphExec instantiate(Graph graph) override {
    typename Api::ExecHandle exec{};
    check(Api::instantiate(&exec, native(graph)), "GraphInstantiate");
    return {exec};
  }
  void upload(GraphExec exec, Stream stream) override {
    // Where a runtime has no upload, the untimed replay that follows takes its place.
    if constexpr (Api::has_graph_upload) check(Api::upload(native(exec), stream), "GraphUpload");
  }
  void launch(GraphExec exec, Stream stream) override {
    check(Api::launch(native(exec), stream), "GraphLaunch");
  }
  void destroy(GraphExec exec) noexcept override {
    if (exec.handle != nullptr && Api::exec_destroy(native(exec)) != 0) clear_last_error();
  }

  Generator* generator() override { return &generator_; }

  // After a failure.
  void clear_last_error() noexcept override { Api::get_last_error(); }
  bool probe() noexcept override {
    void* memory = nullptr;
    bool healthy = false;
    try {
      constexpr std::size_t count = 1000;
      const Stream stream = default_stream();
      memory = allocate(count * sizeof(std::uint32_t));
      set_bytes(memory, 0x5A, count * sizeof(std::uint32_t), stream);
      check(gpu::scramble(static_cast<std::uint32_t*>(memory), count, stream), "LaunchKernel");
      std::vector<std::uint32_t> got(count);
      copy_to_host(got.data(), memory, count * sizeof(std::uint32_t));
      healthy = true;
      for (std::uint32_t i = 0; i < count; ++i) healthy &= got[i] == 3 * 0x5A5A5A5Au + i;
    } catch (...) {
      healthy = false;
    }
    if (memory != nullptr) release(memory);
    return healthy;
  }

  ClockState clocks() override { return clocks_.read(); }
  std::size_t reset_persisting_cache() override {
    std::size_t set_aside = 0;
    check(Api::reset_persisting_cache(&set_aside), "CtxResetPersistingL2Cache");
    return set_aside > set_aside_at_start_ ? set_aside : 0;
  }
  std::vector<TraceRecord> trace(const std::function<void()>& work) override {
    return Api::trace(work);
  }
  bool start_profiler(const std::string& range) override {
    check(Api::start_profiler(range.c_str()), "ProfilerStart");
    return true;
  }
  void stop_profiler() override { check(Api::stop_profiler(), "ProfilerStop"); }

 private:
  using Walk = gpu::GraphWalk<Api>;

  void check(int code, const char* function) const {
    if (code == 0) return;
    const bool name_it = gpu::is_hardware_failure(code);
    throw gpu::error<Api>(code, function,
                          name_it ? "on " + device_name() : gpu::advice<Api>(code, info_));
  }
  /// Of an implementation's own check, which knows nothing of the device.
  [[noreturn]] void rethrow_with_advice(const Error& e) const {
    const bool of_runtime = e.code != 0 && e.name == Api::error_name(e.code);
    const std::string advice = of_runtime ? gpu::advice<Api>(e.code, info_) : "";
    if (advice.empty()) throw;
    throw Error(e.errc, e.code, e.name, e.call, e.text + "; " + advice);
  }
  std::string device_name() const { return info_.identity.name + " " + info_.identity.uuid; }

  Error out_of_memory(std::size_t bytes) const {
    std::size_t available = 0;
    std::size_t total = 0;
    std::string text = std::to_string(bytes) + " bytes asked";
    Api::get_last_error();
    if (Api::memory_info(&available, &total) == 0) {
      text += ", " + std::to_string(available) + " of " + std::to_string(total) + " free";
    }
    return gpu::error<Api>(Api::error_out_of_memory, "Malloc", text);
  }

  Comparison found(Stream stream) {
    synchronize(stream);
    gpu::Findings findings;
    check(Api::copy_to_host(&findings, findings_, sizeof findings), "Memcpy");
    if (findings.matching == 0) return {};
    return {static_cast<std::int64_t>(findings.matching),
            static_cast<std::int64_t>(findings.first)};
  }

  static auto native(Event event) { return static_cast<typename Api::EventHandle>(event.handle); }
  static auto native(Graph graph) { return static_cast<typename Api::GraphHandle>(graph.handle); }
  static auto native(GraphExec exec) { return static_cast<typename Api::ExecHandle>(exec.handle); }

  DeviceInfo info_;
  typename Api::Clocks clocks_;
  Generator generator_;
  Event order_;
  gpu::Findings* findings_ = nullptr;
  std::size_t set_aside_at_start_ = 0;  ///< by the driver itself
};

}  // namespace zl
