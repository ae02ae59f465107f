#include "device/host/host_device.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "device/chain_dot.hpp"
#include "device/host/host_info.hpp"
#include "device/host/host_kernels.hpp"

namespace zl::host {

namespace {

// The numbers are CUDA's for the same mistakes.
constexpr int capture_unsupported = 900;
constexpr int capture_invalidated = 901;
constexpr int out_of_memory = 2;
constexpr int exception_in_call = 719;

constexpr std::size_t alignment = 4096;

HostStream& as_stream(Stream stream) { return *static_cast<HostStream*>(stream.handle()); }
HostEvent& as_event(Event event) { return *static_cast<HostEvent*>(event.handle); }
HostGraph& as_graph(void* handle) { return *static_cast<HostGraph*>(handle); }

}  // namespace

HostDevice::HostDevice(DeviceIdentity identity)
    : info_(describe(std::move(identity))), generator_("host:0", 0) {
  default_stream_ = create_stream();
}

HostDevice::~HostDevice() = default;

MemoryInfo HostDevice::memory() { return memory_info(); }

void* HostDevice::allocate(std::size_t bytes) {
  refuse_in_capture("allocate");
  const std::size_t rounded = (std::max<std::size_t>(bytes, 1) + alignment - 1) / alignment;
  const MemoryInfo free = memory();
  void* pointer = nullptr;
  // The kernel promises more than it has; asking first keeps its out-of-memory killer away.
  if (rounded * alignment <= free.free_bytes) {
    pointer = std::aligned_alloc(alignment, rounded * alignment);
  }
  if (pointer == nullptr) {
    throw Error(
        Errc::out_of_memory, out_of_memory, "HostOutOfMemory", "allocate",
        std::to_string(bytes) + " bytes asked, " + std::to_string(free.free_bytes) + " free");
  }
  return pointer;
}

void HostDevice::release(void* pointer) noexcept { std::free(pointer); }

void HostDevice::copy_to_device(void* to, const void* from, std::size_t bytes) {
  std::memcpy(to, from, bytes);
}

void HostDevice::copy_to_host(void* to, const void* from, std::size_t bytes) {
  std::memcpy(to, from, bytes);
}

void HostDevice::copy(void* to, const void* from, std::size_t bytes, Stream stream) {
  as_stream(stream).push([=] { std::memcpy(to, from, bytes); });
}

void HostDevice::set_bytes(void* to, int byte, std::size_t bytes, Stream stream) {
  as_stream(stream).push([=] { std::memset(to, byte, bytes); });
}

void HostDevice::generate(void* to, DType type, std::int64_t count, const Fill& fill,
                          std::uint64_t key, Stream stream) {
  const FillPlan p = plan(fill);
  as_stream(stream).push([=] { host::generate(to, type, count, p, key); });
}

void HostDevice::poison(void* to, DType type, std::int64_t count, Stream stream) {
  as_stream(stream).push([=] { host::poison(to, type, count); });
}

Comparison HostDevice::find_poison(const void* data, DType type, std::int64_t count,
                                   Stream stream) {
  synchronize(stream);
  return host::find_poison(data, type, count);
}

Comparison HostDevice::find_nonfinite(const void* data, DType type, std::int64_t count,
                                      Stream stream) {
  synchronize(stream);
  return host::find_nonfinite(data, type, count);
}

Comparison HostDevice::compare(const void* got, const void* want, DType type, std::int64_t count,
                               Tolerance tolerance, Stream stream) {
  synchronize(stream);
  return host::find_differing(got, want, type, count, tolerance);
}

void HostDevice::sweep(const void*, std::size_t, Stream) {
  throw Error(Errc::internal, "the host backend does not sweep its cache");
}

Stream HostDevice::create_stream() {
  streams_.push_back(std::make_unique<HostStream>());
  return Stream(streams_.back().get());
}

void HostDevice::destroy(Stream stream) noexcept {
  const auto found = std::find_if(streams_.begin(), streams_.end(), [&](const auto& candidate) {
    return candidate.get() == stream.handle();
  });
  if (found != streams_.end()) streams_.erase(found);
}

void HostDevice::refuse_in_capture(const char* call) {
  for (const auto& stream : streams_) {
    if (!stream->capturing()) continue;
    stream->invalidate_capture();
    throw Error(Errc::capture_rule, capture_unsupported, "HostCaptureUnsupported", call,
                "not allowed while a stream is being captured");
  }
}

void HostDevice::synchronize(Stream stream) {
  refuse_in_capture("synchronize");
  try {
    as_stream(stream).synchronize();
  } catch (const Error&) {
    throw;
  } catch (const std::exception& e) {
    throw Error(Errc::device, exception_in_call, "HostException", "call", e.what());
  }
}

void HostDevice::synchronize() {
  refuse_in_capture("synchronize");
  for (const auto& stream : streams_) synchronize(Stream(stream.get()));
}

void HostDevice::wait(Stream waiting, Stream awaited) {
  refuse_in_capture("wait");
  auto event = std::make_shared<HostEvent>();
  event->recorded();
  as_stream(awaited).push_always([event] { event->stamp(); });
  as_stream(waiting).push_always([event] { event->wait(); });
}

Event HostDevice::create_event() { return {new HostEvent}; }

void HostDevice::destroy(Event event) noexcept { delete static_cast<HostEvent*>(event.handle); }

void HostDevice::record(Event event, Stream stream) {
  refuse_in_capture("record");
  as_event(event).recorded();
  as_stream(stream).push_always([e = &as_event(event)] { e->stamp(); });
}

void HostDevice::synchronize(Event event) {
  refuse_in_capture("synchronize");
  as_event(event).wait();
}

double HostDevice::elapsed_ms(Event start, Event end) {
  return as_event(end).ms() - as_event(start).ms();
}

void HostDevice::submit(const CallFunction& call, const Launch& launch) {
  as_stream(launch.stream()).push([&call, launch] { call(launch); });
}

void HostDevice::begin_capture(Stream stream) {
  refuse_in_capture("begin_capture");
  as_stream(stream).begin_capture();
}

Graph HostDevice::end_capture(Stream stream) {
  if (!as_stream(stream).capturing()) {
    throw Error(Errc::capture_rule, capture_invalidated, "HostCaptureInvalidated", "end_capture",
                "the stream is not being captured");
  }
  std::unique_ptr<HostGraph> graph = as_stream(stream).end_capture();
  if (graph == nullptr) {
    throw Error(Errc::capture_rule, capture_invalidated, "HostCaptureInvalidated", "end_capture",
                "an earlier call broke a rule of capturing");
  }
  return {graph.release()};
}

bool HostDevice::is_capturing(Stream stream) { return as_stream(stream).capturing(); }

GraphStructure HostDevice::inspect(Graph graph) {
  GraphStructure structure;
  structure.nodes = static_cast<std::int64_t>(as_graph(graph.handle).nodes.size());
  return structure;
}

std::string HostDevice::dot(Graph graph) {
  // A call, a copy or a memset: to the host they are all closures.
  std::vector<std::string> labels;
  for (std::size_t i = 0; i < as_graph(graph.handle).nodes.size(); ++i) {
    labels.push_back("work " + std::to_string(i));
  }
  return chain_dot(labels);
}

void HostDevice::destroy(Graph graph) noexcept { delete static_cast<HostGraph*>(graph.handle); }

GraphExec HostDevice::instantiate(Graph graph) { return {new HostGraph(as_graph(graph.handle))}; }

void HostDevice::upload(GraphExec, Stream) {}

void HostDevice::launch(GraphExec exec, Stream stream) {
  as_stream(stream).push([nodes = &as_graph(exec.handle).nodes] {
    for (const Work& node : *nodes) node();
  });
}

void HostDevice::destroy(GraphExec exec) noexcept { delete static_cast<HostGraph*>(exec.handle); }

bool HostDevice::probe() noexcept {
  try {
    std::vector<float> want(1024);
    const FillPlan p = plan(uniform());
    for (std::size_t i = 0; i < want.size(); ++i) want[i] = fill_float(p, 1, i);
    const Stream stream = create_stream();
    void* data = allocate(want.size() * sizeof(float));
    set_bytes(data, 0, want.size() * sizeof(float), stream);
    generate(data, DType::f32, static_cast<std::int64_t>(want.size()), uniform(), 1, stream);
    synchronize(stream);
    const bool equal = std::memcmp(data, want.data(), want.size() * sizeof(float)) == 0;
    release(data);
    destroy(stream);
    return equal;
  } catch (...) {
    return false;
  }
}

}  // namespace zl::host
