#pragma once

#include <memory>
#include <vector>

#include "device/device.hpp"
#include "device/host/host_stream.hpp"

namespace zl::host {

/// The CPU as a device: streams are queues with a thread, events are steady-clock stamps taken by
/// that thread, a capture records calls and a graph replays them.
class HostDevice : public Device {
 public:
  explicit HostDevice(DeviceIdentity identity);
  ~HostDevice() override;

  const DeviceInfo& info() const override { return info_; }

  MemoryInfo memory() override;
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
  Stream default_stream() override { return default_stream_; }
  void synchronize(Stream stream) override;
  void synchronize() override;
  void wait(Stream waiting, Stream awaited) override;
  Event create_event() override;
  void destroy(Event event) noexcept override;
  void record(Event event, Stream stream) override;
  void synchronize(Event event) override;
  double elapsed_ms(Event start, Event end) override;

  void submit(const CallFunction& call, const Launch& launch) override;

  bool supports_graph_capture() override { return true; }
  void begin_capture(Stream stream) override;
  Graph end_capture(Stream stream) override;
  bool is_capturing(Stream stream) override;
  void cut_capture(Stream) override {}  // its calls never overlap
  GraphStructure inspect(Graph graph) override;
  std::string dot(Graph graph) override;
  void destroy(Graph graph) noexcept override;
  GraphExec instantiate(Graph graph) override;
  void upload(GraphExec exec, Stream stream) override;
  void launch(GraphExec exec, Stream stream) override;
  void destroy(GraphExec exec) noexcept override;

  Generator* generator() override { return &generator_; }
  void clear_last_error() noexcept override {}
  bool probe() noexcept override;

 private:
  void refuse_in_capture(const char* call);

  DeviceInfo info_;
  Generator generator_;
  std::vector<std::unique_ptr<HostStream>> streams_;
  Stream default_stream_;
};

}  // namespace zl::host
