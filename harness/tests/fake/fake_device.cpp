#include "tests/fake/fake_device.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "device/chain_dot.hpp"
#include "device/gpu/error_class.hpp"
#include "device/host/host_kernels.hpp"

namespace zl::fake {

namespace {

std::string error_name(int code) {
  switch (code) {
    case 2:
      return "cudaErrorMemoryAllocation";
    case 700:
      return "cudaErrorIllegalAddress";
    case 900:
      return "cudaErrorStreamCaptureUnsupported";
    case 901:
      return "cudaErrorStreamCaptureInvalidated";
    case 999:
      return "cudaErrorUnknown";
    default:
      return "cudaError" + std::to_string(code);
  }
}

Error error_of(int code, const std::string& call) {
  return Error(gpu::classify(code), code, error_name(code), call, "told to fail");
}

double& as_event(Event event) { return *static_cast<double*>(event.handle); }
FakeGraph& as_graph(void* handle) { return *static_cast<FakeGraph*>(handle); }

}  // namespace

FakeDevice::FakeDevice() {
  fake_info.identity = {0, "fake-0", "Fake GPU"};
  fake_info.backend = "fake";
  fake_info.l2_bytes = 1 << 20;
  fake_info.memory_bytes = fake_memory.total_bytes;
  fake_info.node_cap = 10000;
  fake_info.cold_node_cap = 20000;
  fake_info.is_gpu = true;
  fake_info.can_sweep = true;
  fake_info.peak_TFLOPS = [](DType) { return std::optional<double>(100); };
  fake_info.peak_bandwidth_GBps = 1000;
  default_stream_.device = this;
}

FakeDevice::~FakeDevice() = default;

const Fault* FakeDevice::next_fault(const std::string& call) {
  for (Fault& fault : faults) {
    if (fault.call != call || (!fault.phase.empty() && fault.phase != current_phase)) continue;
    if (fault.skip > 0) {
      --fault.skip;
      continue;
    }
    if (fault.times == 0) continue;
    --fault.times;
    return &fault;
  }
  return nullptr;
}

void FakeDevice::fail(const Fault& fault, const std::string& call) {
  if (fault.crash) {
    std::signal(SIGSEGV, SIG_DFL);  // a sanitizer may have its own handler
    std::raise(SIGSEGV);
  }
  while (fault.hang) std::this_thread::sleep_for(std::chrono::seconds(1));
  if (fault.kills) dead = true;
  throw error_of(fault.code, call);
}

void FakeDevice::enter(const std::string& call) {
  ++calls[call];
  log.push_back(current_phase + ":" + call);
  if (dead) throw error_of(700, call);
  if (const Fault* fault = next_fault(call)) fail(*fault, call);
}

void FakeDevice::report_pending(const std::string& call) {
  if (!pending_) return;
  const Fault fault = *pending_;
  pending_.reset();
  fail(fault, call);
}

double FakeDevice::duration(double ms) {
  if (noise_sigma == 0) return ms;
  return ms * std::exp(std::normal_distribution<double>(0, noise_sigma)(random_));
}

double FakeDevice::drained_ms(const FakeStream& stream) const {
  double ready = std::max(now_ms_, stream.ready_ms);
  if (&stream == &default_stream_) {
    for (const auto& other : streams_) {
      if (other->blocking) ready = std::max(ready, other->ready_ms);
    }
  }
  return ready;
}

void FakeDevice::run(FakeStream& stream, const Kernel& kernel) {
  if (const Fault* fault = next_fault("kernel")) pending_ = std::make_unique<Fault>(*fault);
  double start = drained_ms(stream);
  if (stream.blocking) start = std::max(start, default_stream_.ready_ms);
  // As much of a kernel as its predecessor's tail hides.
  constexpr double hidden = 0.1;
  if (kernel.programmatic) start -= hidden * kernel.ms;
  stream.ready_ms = start + duration(scale_ * kernel.ms);
  if (traced_ != nullptr) {
    const auto ns = [](double ms) { return static_cast<std::uint64_t>(std::llround(ms * 1e6)); };
    traced_->push_back({ns(start), ns(stream.ready_ms)});
  }
  if (!pending_) kernel.body();
}

void FakeDevice::launch(FakeStream& stream, double ms, std::function<void()> body,
                        bool programmatic) {
  enter("enqueue");
  now_ms_ += enqueue_ms;
  if (!stream.capture) {
    run(stream, {std::move(body), ms});
    return;
  }
  FakeGraph& graph = *stream.capture;
  const bool first =
      graph.nodes.empty() || (!graph.cuts.empty() && graph.cuts.back() == graph.nodes.size());
  graph.nodes.push_back({std::move(body), ms, programmatic && !first});
}

FakeStream& FakeDevice::private_stream(bool blocking) {
  streams_.push_back(std::make_unique<FakeStream>());
  streams_.back()->device = this;
  streams_.back()->blocking = blocking;
  return *streams_.back();
}

int FakeDevice::open_captures() const {
  return static_cast<int>(std::count_if(streams_.begin(), streams_.end(), [](const auto& stream) {
    return stream->capture != nullptr;
  }));
}

void FakeDevice::allocate_in_call() {
  for (const auto& stream : streams_) {
    if (!stream->capture) continue;
    stream->invalid = true;
    throw error_of(900, "cudaMalloc");
  }
}

void FakeDevice::synchronize_in_call(FakeStream& stream) {
  if (stream.capture) {
    stream.invalid = true;
    throw error_of(900, "cudaStreamSynchronize");
  }
  synchronize(Stream(&stream));
}

void* FakeDevice::allocate(std::size_t bytes) {
  enter("allocate");
  if (bytes > fake_memory.free_bytes) throw error_of(2, "allocate");
  void* block = std::malloc(std::max<std::size_t>(bytes, 1));
  if (block == nullptr) throw error_of(2, "allocate");
  ++live_blocks;
  return block;
}

void FakeDevice::release(void* pointer) noexcept {
  --live_blocks;
  std::free(pointer);
}

void FakeDevice::copy_to_device(void* to, const void* from, std::size_t bytes) {
  enter("copy_to_device");
  std::memcpy(to, from, bytes);
}

void FakeDevice::copy_to_host(void* to, const void* from, std::size_t bytes) {
  enter("copy_to_host");
  std::memcpy(to, from, bytes);
}

void FakeDevice::copy(void* to, const void* from, std::size_t bytes, Stream stream) {
  enter("copy");
  launch(stream_of(stream), 0.001, [=] { std::memcpy(to, from, bytes); });
}

void FakeDevice::set_bytes(void* to, int byte, std::size_t bytes, Stream stream) {
  enter("set_bytes");
  launch(stream_of(stream), 0.001, [=] { std::memset(to, byte, bytes); });
}

void FakeDevice::generate(void* to, DType type, std::int64_t count, const Fill& fill,
                          std::uint64_t key, Stream stream) {
  enter("generate");
  const FillPlan p = plan(fill);
  launch(stream_of(stream), 0.001, [=] { host::generate(to, type, count, p, key); });
}

void FakeDevice::poison(void* to, DType type, std::int64_t count, Stream stream) {
  enter("poison");
  launch(stream_of(stream), 0.001, [=] { host::poison(to, type, count); });
}

Comparison FakeDevice::find_poison(const void* data, DType type, std::int64_t count,
                                   Stream stream) {
  enter("find_poison");
  synchronize(stream);
  return host::find_poison(data, type, count);
}

Comparison FakeDevice::find_nonfinite(const void* data, DType type, std::int64_t count,
                                      Stream stream) {
  enter("find_nonfinite");
  synchronize(stream);
  return host::find_nonfinite(data, type, count);
}

Comparison FakeDevice::compare(const void* got, const void* want, DType type, std::int64_t count,
                               Tolerance tolerance, Stream stream) {
  enter("compare");
  synchronize(stream);
  return host::find_differing(got, want, type, count, tolerance);
}

void FakeDevice::sweep(const void*, std::size_t, Stream stream) {
  enter("sweep");
  const double noise =
      sweep_noise_ms == 0 ? 0 : std::normal_distribution<double>(0, sweep_noise_ms)(random_);
  launch(stream_of(stream), sweep_ms + noise, [] {});
}

Stream FakeDevice::create_stream() {
  enter("create_stream");
  ++live_streams;
  return Stream(&private_stream(false));
}

void FakeDevice::destroy(Stream stream) noexcept {
  --live_streams;
  streams_.erase(std::find_if(streams_.begin(), streams_.end(), [&](const auto& candidate) {
    return candidate.get() == stream.handle();
  }));
}

void FakeDevice::synchronize(Stream stream) {
  enter("synchronize");
  now_ms_ = drained_ms(stream_of(stream));
  report_pending("synchronize");
}

void FakeDevice::synchronize() {
  enter("synchronize_device");
  now_ms_ = drained_ms(default_stream_);
  for (const auto& stream : streams_) now_ms_ = std::max(now_ms_, stream->ready_ms);
  report_pending("synchronize_device");
}

void FakeDevice::wait(Stream waiting, Stream awaited) {
  enter("wait");
  FakeStream& stream = stream_of(waiting);
  stream.ready_ms = std::max(stream.ready_ms, stream_of(awaited).ready_ms);
}

Event FakeDevice::create_event() {
  enter("create_event");
  ++live_events;
  return {new double(0)};
}

void FakeDevice::destroy(Event event) noexcept {
  --live_events;
  delete static_cast<double*>(event.handle);
}

void FakeDevice::record(Event event, Stream stream) {
  enter("record");
  as_event(event) = drained_ms(stream_of(stream));
}

void FakeDevice::synchronize(Event event) {
  enter("synchronize_event");
  now_ms_ = std::max(now_ms_, as_event(event));
  report_pending("synchronize_event");
}

double FakeDevice::elapsed_ms(Event start, Event end) {
  enter("elapsed_ms");
  return (as_event(end) - as_event(start)) * timer_scale;
}

void FakeDevice::submit(const CallFunction& call, const Launch& launch) { call(launch); }

bool FakeDevice::supports_graph_capture() {
  enter("supports_graph_capture");
  return supports_capture;
}

void FakeDevice::begin_capture(Stream stream) {
  enter("begin_capture");
  stream_of(stream).capture = std::make_unique<FakeGraph>();
  stream_of(stream).invalid = false;
}

Graph FakeDevice::end_capture(Stream stream) {
  FakeStream& captured = stream_of(stream);
  const std::unique_ptr<FakeGraph> graph = std::move(captured.capture);
  enter("end_capture");
  if (!graph || captured.invalid) throw error_of(901, "end_capture");
  ++live_graphs;
  return {new FakeGraph(*graph)};
}

bool FakeDevice::is_capturing(Stream stream) {
  enter("is_capturing");
  return stream_of(stream).capture != nullptr;
}

void FakeDevice::cut_capture(Stream stream) {
  enter("cut_capture");
  FakeGraph& graph = *stream_of(stream).capture;
  graph.cuts.push_back(graph.nodes.size());
}

GraphStructure FakeDevice::inspect(Graph graph) {
  enter("inspect");
  const FakeGraph& g = as_graph(graph.handle);
  GraphStructure structure;
  structure.nodes = static_cast<std::int64_t>(g.nodes.size());
  structure.allocations = g.allocations;
  structure.programmatic_edges =
      std::count_if(g.nodes.begin(), g.nodes.end(), [](const Kernel& k) { return k.programmatic; });
  structure.persisting_bytes = persisting_window_bytes;
  return structure;
}

std::string FakeDevice::dot(Graph graph) {
  enter("dot");
  const FakeGraph& g = as_graph(graph.handle);
  std::vector<std::string> labels;
  for (std::size_t i = 0; i < g.nodes.size(); ++i) {
    labels.insert(labels.end(),
                  static_cast<std::size_t>(std::count(g.cuts.begin(), g.cuts.end(), i)), "empty");
    labels.push_back("kernel of " + std::to_string(g.nodes[i].ms) + " ms");
  }
  return chain_dot(labels);
}

void FakeDevice::destroy(Graph graph) noexcept {
  --live_graphs;
  delete static_cast<FakeGraph*>(graph.handle);
}

GraphExec FakeDevice::instantiate(Graph graph) {
  enter("instantiate");
  ++live_execs;
  return {new FakeGraph(as_graph(graph.handle))};
}

void FakeDevice::upload(GraphExec, Stream) { enter("upload"); }

void FakeDevice::launch(GraphExec exec, Stream stream) {
  enter("launch");
  now_ms_ += enqueue_ms;
  scale_ = traced_ != nullptr && traced_->empty() ? first_traced_scale : 1;
  for (const Kernel& node : as_graph(exec.handle).nodes) {
    run(stream_of(stream), node);
    stream_of(stream).ready_ms += node_gap_ms;
  }
  scale_ = 1;
}

void FakeDevice::destroy(GraphExec exec) noexcept {
  --live_execs;
  delete static_cast<FakeGraph*>(exec.handle);
}

ClockState FakeDevice::clocks() {
  ++calls["clocks"];
  if (clock_states.empty()) return {};
  const ClockState state = clock_states.front();
  if (clock_states.size() > 1) clock_states.erase(clock_states.begin());
  return state;
}

std::size_t FakeDevice::reset_persisting_cache() {
  enter("reset_persisting_cache");
  return persisting_cache_bytes;
}

std::vector<TraceRecord> FakeDevice::trace(const std::function<void()>& work) {
  enter("trace");
  std::vector<TraceRecord> records;
  traced_ = &records;
  work();
  traced_ = nullptr;
  records.resize(records.size() - lost_records);
  return records;
}

bool FakeDevice::start_profiler(const std::string& range) {
  enter("start_profiler");
  if (has_profiler) profiled_range = range;
  return has_profiler;
}

void FakeDevice::stop_profiler() {
  profiled_range.clear();
  enter("stop_profiler");
}

bool FakeDevice::probe() noexcept {
  try {
    enter("probe");
    return true;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace zl::fake
