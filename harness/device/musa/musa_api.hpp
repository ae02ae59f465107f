#pragma once

#include <musa_runtime_api.h>
#if __has_include(<musa_profiler_api.h>)
#include <musa_profiler_api.h>
#define ZL_HAVE_MUSA_PROFILER 1
#endif

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "device/device.hpp"
#include "device/gpu/gpu_properties.hpp"
#include "zl/error.hpp"

namespace zl {

/// Moore Threads' management library is not read yet: its clocks are unknown, and said to be.
class MusaClocks {
 public:
  explicit MusaClocks(const std::string&) {}
  ClockState read() const {
    ClockState state;
    state.unknown = "zl-bench does not read MTML";
    return state;
  }
  std::string driver_version() const { return ""; }
};

namespace detail {

// musaGraphInstantiate has five parameters up to SDK 4 and three from 5.1 on. Which one a header
// declares is asked of the compiler, not of a version; the last parameter ranks the two.
template <class Exec, class Graph>
auto instantiate_musa_graph(Exec* to, Graph graph, int)
    -> decltype(musaGraphInstantiate(to, graph, 0ull)) {
  return musaGraphInstantiate(to, graph, 0ull);
}
template <class Exec, class Graph>
auto instantiate_musa_graph(Exec* to, Graph graph, long)
    -> decltype(musaGraphInstantiate(to, graph, nullptr, nullptr, std::size_t{0})) {
  return musaGraphInstantiate(to, graph, nullptr, nullptr, std::size_t{0});
}

// Not in every SDK.
template <class Graph>
auto print_musa_graph(Graph graph, const char* path, int)
    -> decltype(musaGraphDebugDotPrint(graph, path, 1u)) {
  return musaGraphDebugDotPrint(graph, path, 1u);  // as verbose as CUDA's flag of that number
}
template <class Graph>
musaError_t print_musa_graph(Graph, const char*, long) {
  return musaErrorNotSupported;
}

}  // namespace detail

/// Moore Threads' runtime as GpuDevice sees it, from its public headers and ports. Run against a
/// stand-in only: no Moore Threads GPU was at hand.
struct MusaApi {
  using StreamHandle = musaStream_t;
  using EventHandle = musaEvent_t;
  using GraphHandle = musaGraph_t;
  using ExecHandle = musaGraphExec_t;
  using NodeHandle = musaGraphNode_t;
  using Clocks = MusaClocks;

  static constexpr const char* backend = "musa";
  static constexpr const char* prefix = "musa";
  static constexpr const char* vendor = "Moore Threads";
  static constexpr const char* toolkit = "MUSA SDK";
  static constexpr const char* architectures = "ZL_MUSA_ARCHITECTURES";  ///< CMake's variable
  static constexpr const char* visible_devices = "MUSA_VISIBLE_DEVICES";
  static constexpr std::array<const char*, 2> launch_blocking{"MUSA_LAUNCH_BLOCKING",
                                                              "CUDA_LAUNCH_BLOCKING"};
  /// Larger graphs hang some chips.
  static constexpr int node_cap = 1000;
  static constexpr int cold_node_cap = 1000;
  static constexpr int first_version_with_graphs = 30100;
  /// Absent or disabled: the untimed replay takes its place.
  static constexpr bool has_graph_upload = false;

  static constexpr int error_out_of_memory = musaErrorMemoryAllocation;
  static constexpr int error_insufficient_driver = musaErrorInsufficientDriver;
  static constexpr int error_no_device = musaErrorNoDevice;

  static const char* error_name(int code) { return musaGetErrorName(musaError_t(code)); }
  static const char* error_text(int code) { return musaGetErrorString(musaError_t(code)); }
  static int get_last_error() { return musaGetLastError(); }
  static int peek_at_last_error() { return musaPeekAtLastError(); }

  // Devices.
  static int device_count(int* count) { return musaGetDeviceCount(count); }
  static int driver_version(int* version) { return musaDriverGetVersion(version); }
  static int runtime_version(int* version) { return musaRuntimeGetVersion(version); }
  static int set_device(int ordinal) { return musaSetDevice(ordinal); }
  static int properties(gpu::Properties* to, int ordinal) {
    musaDeviceProp from{};
    if (const int code = musaGetDeviceProperties(&from, ordinal)) return code;
    to->name = from.name;
    std::copy_n(reinterpret_cast<const unsigned char*>(from.uuid.bytes), to->uuid.size(),
                to->uuid.begin());
    to->memory_bytes = from.totalGlobalMem;
    to->l2_bytes = static_cast<std::size_t>(from.l2CacheSize);
    to->warp_size = from.warpSize;
    to->major = from.major;
    to->minor = from.minor;
    to->multiprocessors = from.multiProcessorCount;
    to->clock_khz = from.clockRate;
    to->memory_clock_khz = from.memoryClockRate;
    to->memory_bus_bits = from.memoryBusWidth;
    return 0;
  }
  /// Not known: no share of a peak is given.
  /// As in ZL_MUSA_ARCHITECTURES.
  static std::string architecture(int major, int minor) {
    return "mp_" + std::to_string(major) + std::to_string(minor);
  }
  static double flops_per_clock(int, int, DType) { return 0; }

  // Memory.
  static int malloc(void** to, std::size_t bytes) { return musaMalloc(to, bytes); }
  static int free(void* pointer) { return musaFree(pointer); }
  static int memory_info(std::size_t* available, std::size_t* total) {
    return musaMemGetInfo(available, total);
  }
  static int copy_to_device(void* to, const void* from, std::size_t bytes) {
    return musaMemcpy(to, from, bytes, musaMemcpyHostToDevice);
  }
  static int copy_to_host(void* to, const void* from, std::size_t bytes) {
    return musaMemcpy(to, from, bytes, musaMemcpyDeviceToHost);
  }
  static int copy_async(void* to, const void* from, std::size_t bytes, StreamHandle stream) {
    return musaMemcpyAsync(to, from, bytes, musaMemcpyDeviceToDevice, stream);
  }
  static int memset_async(void* to, int byte, std::size_t bytes, StreamHandle stream) {
    return musaMemsetAsync(to, byte, bytes, stream);
  }

  // Streams and events.
  static int stream_create(StreamHandle* to) {
    return musaStreamCreateWithFlags(to, musaStreamNonBlocking);
  }
  static int stream_destroy(StreamHandle stream) { return musaStreamDestroy(stream); }
  static int stream_synchronize(StreamHandle stream) { return musaStreamSynchronize(stream); }
  static int stream_wait_event(StreamHandle stream, EventHandle event) {
    return musaStreamWaitEvent(stream, event, 0);
  }
  static int device_synchronize() { return musaDeviceSynchronize(); }
  static int event_create(EventHandle* to) { return musaEventCreate(to); }
  static int event_destroy(EventHandle event) { return musaEventDestroy(event); }
  static int event_record(EventHandle event, StreamHandle stream) {
    return musaEventRecord(event, stream);
  }
  static int event_synchronize(EventHandle event) { return musaEventSynchronize(event); }
  static int event_elapsed(float* ms, EventHandle start, EventHandle end) {
    return musaEventElapsedTime(ms, start, end);
  }

  // Capture and graphs.
  static int begin_capture(StreamHandle stream) {
    return musaStreamBeginCapture(stream, musaStreamCaptureModeThreadLocal);
  }
  static int end_capture(StreamHandle stream, GraphHandle* to) {
    return musaStreamEndCapture(stream, to);
  }
  static int is_capturing(StreamHandle stream, bool* capturing) {
    musaStreamCaptureStatus status = musaStreamCaptureStatusNone;
    const int code = musaStreamIsCapturing(stream, &status);
    *capturing = status != musaStreamCaptureStatusNone;
    return code;
  }
  static int graph_nodes(GraphHandle graph, NodeHandle* nodes, std::size_t* count) {
    return musaGraphGetNodes(graph, nodes, count);
  }
  static int node_kind(NodeHandle node, gpu::NodeKind* kind) {
    musaGraphNodeType type{};
    const int code = musaGraphNodeGetType(node, &type);
    const bool work = type == musaGraphNodeTypeMemcpy || type == musaGraphNodeTypeMemset ||
                      type == musaGraphNodeTypeHost;
    *kind = type == musaGraphNodeTypeKernel  ? gpu::NodeKind::kernel
            : type == musaGraphNodeTypeGraph ? gpu::NodeKind::child
            : work                           ? gpu::NodeKind::work
                                             : gpu::NodeKind::other;
    return code;
  }
  static int child_graph(NodeHandle node, GraphHandle* to) {
    return musaGraphChildGraphNodeGetGraph(node, to);
  }
  static int graph_destroy(GraphHandle graph) { return musaGraphDestroy(graph); }
  static int instantiate(ExecHandle* to, GraphHandle graph) {
    return detail::instantiate_musa_graph(to, graph, 0);
  }
  static int launch(ExecHandle exec, StreamHandle stream) { return musaGraphLaunch(exec, stream); }
  static int exec_destroy(ExecHandle exec) { return musaGraphExecDestroy(exec); }

  static int print_graph(GraphHandle graph, const char* path) {
    return detail::print_musa_graph(graph, path, 0);
  }

  // For a profiler around this process; there is no range, as NVTX's are. Some SDKs only say that
  // they do not support it.
#ifdef ZL_HAVE_MUSA_PROFILER
  static int start_profiler(const char*) { return musaProfilerStart(); }
  static int stop_profiler() { return musaProfilerStop(); }
#else
  static int start_profiler(const char*) { return musaErrorNotSupported; }
  static int stop_profiler() { return musaErrorNotSupported; }
#endif

  // What MUSA does not have: windows of L2 to keep, launches that overlap, and so nothing to cut.
  static int persisting_window(NodeHandle, std::size_t* bytes) {
    *bytes = 0;
    return 0;
  }
  static int programmatic_edges(GraphHandle, std::size_t* programmatic) {
    *programmatic = 0;
    return 0;
  }
  static int add_empty_node_to_capture(StreamHandle) { return 0; }
  static int reset_persisting_cache(std::size_t* set_aside) {
    *set_aside = 0;
    return 0;
  }
  static std::vector<TraceRecord> trace(const std::function<void()>&) {
    throw Error(Errc::usage, "the musa backend has no profiler to check against");
  }
};

}  // namespace zl
