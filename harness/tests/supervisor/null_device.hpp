#pragma once

#include <memory>

#include "device/device.hpp"
#include "zl/error.hpp"

namespace zl {

/// A device that is only there to be opened: whoever uses it gets an error.
class NullDevice final : public Device {
 public:
  explicit NullDevice(const DeviceIdentity& identity) {
    info_.identity = identity;
    info_.backend = "scripted";
    info_.driver = "driver 1";
    info_.runtime = "runtime 2";
  }
  const DeviceInfo& info() const override { return info_; }

  MemoryInfo memory() override { refuse(); }
  void* allocate(std::size_t) override { refuse(); }
  void release(void*) noexcept override {}
  void copy_to_device(void*, const void*, std::size_t) override { refuse(); }
  void copy_to_host(void*, const void*, std::size_t) override { refuse(); }
  void copy(void*, const void*, std::size_t, Stream) override { refuse(); }
  void set_bytes(void*, int, std::size_t, Stream) override { refuse(); }
  void generate(void*, DType, std::int64_t, const Fill&, std::uint64_t, Stream) override {
    refuse();
  }
  void poison(void*, DType, std::int64_t, Stream) override { refuse(); }
  Comparison find_poison(const void*, DType, std::int64_t, Stream) override { refuse(); }
  Comparison find_nonfinite(const void*, DType, std::int64_t, Stream) override { refuse(); }
  Comparison compare(const void*, const void*, DType, std::int64_t, Tolerance, Stream) override {
    refuse();
  }
  void sweep(const void*, std::size_t, Stream) override { refuse(); }
  Stream create_stream() override { refuse(); }
  void destroy(Stream) noexcept override {}
  Stream default_stream() override { refuse(); }
  void synchronize(Stream) override { refuse(); }
  void synchronize() override { refuse(); }
  void wait(Stream, Stream) override { refuse(); }
  Event create_event() override { refuse(); }
  void destroy(Event) noexcept override {}
  void record(Event, Stream) override { refuse(); }
  void synchronize(Event) override { refuse(); }
  double elapsed_ms(Event, Event) override { refuse(); }
  void submit(const CallFunction&, const Launch&) override { refuse(); }
  bool supports_graph_capture() override { refuse(); }
  void begin_capture(Stream) override { refuse(); }
  Graph end_capture(Stream) override { refuse(); }
  bool is_capturing(Stream) override { refuse(); }
  void cut_capture(Stream) override { refuse(); }
  GraphStructure inspect(Graph) override { refuse(); }
  std::string dot(Graph) override { refuse(); }
  void destroy(Graph) noexcept override {}
  GraphExec instantiate(Graph) override { refuse(); }
  void upload(GraphExec, Stream) override { refuse(); }
  void launch(GraphExec, Stream) override { refuse(); }
  void destroy(GraphExec) noexcept override {}
  void clear_last_error() noexcept override {}
  bool probe() noexcept override { return true; }

 private:
  [[noreturn]] static void refuse() { throw Error(Errc::internal, "a null device was used"); }
  DeviceInfo info_;
};

}  // namespace zl
