#pragma once

#include <cuda_runtime_api.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>

#include "device/cuda/cupti_trace.hpp"
#include "device/cuda/nvml_clocks.hpp"
#include "device/gpu/gpu_properties.hpp"
#include "zl/types.hpp"

namespace zl {

/// The CUDA runtime as GpuDevice sees it: types, constants and functions of one line that return
/// the runtime's error code.
struct CudaApi {
  using StreamHandle = cudaStream_t;
  using EventHandle = cudaEvent_t;
  using GraphHandle = cudaGraph_t;
  using ExecHandle = cudaGraphExec_t;
  using NodeHandle = cudaGraphNode_t;
  using Clocks = NvmlClocks;

  static constexpr const char* backend = "cuda";
  static constexpr const char* prefix = "cuda";  ///< of a function's name
  static constexpr const char* vendor = "NVIDIA";
  static constexpr const char* toolkit = "CUDA Toolkit";
  static constexpr const char* architectures = "CMAKE_CUDA_ARCHITECTURES";  ///< CMake's variable
  static constexpr const char* visible_devices = "CUDA_VISIBLE_DEVICES";
  /// Where set, every launch waits for its kernel: nothing may be timed.
  static constexpr std::array<const char*, 1> launch_blocking{"CUDA_LAUNCH_BLOCKING"};
  static constexpr int node_cap = 10000;
  static constexpr int cold_node_cap = 20000;
  static constexpr int first_version_with_graphs = 10000;
  static constexpr bool has_graph_upload = true;

  static constexpr int error_out_of_memory = cudaErrorMemoryAllocation;
  static constexpr int error_insufficient_driver = cudaErrorInsufficientDriver;
  static constexpr int error_no_device = cudaErrorNoDevice;

  static const char* error_name(int code) { return cudaGetErrorName(cudaError_t(code)); }
  static const char* error_text(int code) { return cudaGetErrorString(cudaError_t(code)); }
  static int get_last_error() { return cudaGetLastError(); }
  static int peek_at_last_error() { return cudaPeekAtLastError(); }

  // Devices. None of these but set_device() creates a context.
  static int device_count(int* count) { return cudaGetDeviceCount(count); }
  static int driver_version(int* version) { return cudaDriverGetVersion(version); }
  static int runtime_version(int* version) { return cudaRuntimeGetVersion(version); }
  static int set_device(int ordinal) { return cudaSetDevice(ordinal); }
  static int properties(gpu::Properties* to, int ordinal) {
    cudaDeviceProp from{};
    if (const int code = cudaGetDeviceProperties(&from, ordinal)) return code;
    to->name = from.name;
    std::copy_n(reinterpret_cast<const unsigned char*>(from.uuid.bytes), to->uuid.size(),
                to->uuid.begin());
    to->memory_bytes = from.totalGlobalMem;
    to->l2_bytes = static_cast<std::size_t>(from.l2CacheSize);
    to->warp_size = from.warpSize;
    to->major = from.major;
    to->minor = from.minor;
    to->multiprocessors = from.multiProcessorCount;
    to->memory_bus_bits = from.memoryBusWidth;
    if (const int code = cudaDeviceGetAttribute(&to->clock_khz, cudaDevAttrClockRate, ordinal)) {
      return code;
    }
    return cudaDeviceGetAttribute(&to->memory_clock_khz, cudaDevAttrMemoryClockRate, ordinal);
  }
  /// As in CMAKE_CUDA_ARCHITECTURES.
  static std::string architecture(int major, int minor) {
    return std::to_string(major) + std::to_string(minor);
  }
  static double flops_per_clock(int major, int minor, DType type);

  // Memory.
  static int malloc(void** to, std::size_t bytes) { return cudaMalloc(to, bytes); }
  static int free(void* pointer) { return cudaFree(pointer); }
  static int memory_info(std::size_t* available, std::size_t* total) {
    return cudaMemGetInfo(available, total);
  }
  static int copy_to_device(void* to, const void* from, std::size_t bytes) {
    return cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice);
  }
  static int copy_to_host(void* to, const void* from, std::size_t bytes) {
    return cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost);
  }
  static int copy_async(void* to, const void* from, std::size_t bytes, StreamHandle stream) {
    return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream);
  }
  static int memset_async(void* to, int byte, std::size_t bytes, StreamHandle stream) {
    return cudaMemsetAsync(to, byte, bytes, stream);
  }

  // Streams and events.
  static int stream_create(StreamHandle* to) {
    return cudaStreamCreateWithFlags(to, cudaStreamNonBlocking);
  }
  static int stream_destroy(StreamHandle stream) { return cudaStreamDestroy(stream); }
  static int stream_synchronize(StreamHandle stream) { return cudaStreamSynchronize(stream); }
  static int stream_wait_event(StreamHandle stream, EventHandle event) {
    return cudaStreamWaitEvent(stream, event, 0);
  }
  static int device_synchronize() { return cudaDeviceSynchronize(); }
  static int event_create(EventHandle* to) { return cudaEventCreate(to); }
  static int event_destroy(EventHandle event) { return cudaEventDestroy(event); }
  static int event_record(EventHandle event, StreamHandle stream) {
    return cudaEventRecord(event, stream);
  }
  static int event_synchronize(EventHandle event) { return cudaEventSynchronize(event); }
  static int event_elapsed(float* ms, EventHandle start, EventHandle end) {
    return cudaEventElapsedTime(ms, start, end);
  }

  // Capture and graphs.
  static int begin_capture(StreamHandle stream) {
    return cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
  }
  static int end_capture(StreamHandle stream, GraphHandle* to) {
    return cudaStreamEndCapture(stream, to);
  }
  static int is_capturing(StreamHandle stream, bool* capturing) {
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    const int code = cudaStreamIsCapturing(stream, &status);
    *capturing = status != cudaStreamCaptureStatusNone;  // an invalidated capture is still open
    return code;
  }
  static int graph_nodes(GraphHandle graph, NodeHandle* nodes, std::size_t* count) {
    return cudaGraphGetNodes(graph, nodes, count);
  }
  /// A conditional counts as one node of work: the runtime gives its bodies out only while the
  /// node is being created. Allocations do not count: a call that captured nothing else did its
  /// work elsewhere.
  static int node_kind(NodeHandle node, gpu::NodeKind* kind) {
    cudaGraphNodeType type{};
    const int code = cudaGraphNodeGetType(node, &type);
    const bool work = type == cudaGraphNodeTypeMemcpy || type == cudaGraphNodeTypeMemset ||
                      type == cudaGraphNodeTypeHost || type == cudaGraphNodeTypeConditional;
    *kind = type == cudaGraphNodeTypeKernel     ? gpu::NodeKind::kernel
            : type == cudaGraphNodeTypeGraph    ? gpu::NodeKind::child
            : type == cudaGraphNodeTypeMemAlloc ? gpu::NodeKind::allocation
            : work                              ? gpu::NodeKind::work
                                                : gpu::NodeKind::other;
    return code;
  }
  /// Bytes of the window that a kernel asks L2 to keep; 0 where it asks for none.
  static int persisting_window(NodeHandle node, std::size_t* bytes) {
    cudaKernelNodeAttrValue value{};
    const int code =
        cudaGraphKernelNodeGetAttribute(node, cudaLaunchAttributeAccessPolicyWindow, &value);
    const cudaAccessPolicyWindow& window = value.accessPolicyWindow;
    *bytes = window.hitProp == cudaAccessPropertyPersisting ? window.num_bytes : 0;
    return code;
  }
  /// Edges across which a kernel may start before the one ahead of it has ended.
  static int programmatic_edges(GraphHandle graph, std::size_t* programmatic);
  /// Puts an empty node behind everything that the capture of `stream` holds on it.
  static int add_empty_node_to_capture(StreamHandle stream);
  /// Tells the bytes of L2 set aside for persisting lines, and lets go of such lines.
  static int reset_persisting_cache(std::size_t* set_aside);
  static std::vector<TraceRecord> trace(const std::function<void()>& work) {
    return cupti_trace(work);
  }
  // For a profiler around this process; the range is NVTX's.
  static int start_profiler(const char* range);
  static int stop_profiler();
  static int print_graph(GraphHandle graph, const char* path) {
    return cudaGraphDebugDotPrint(graph, path, cudaGraphDebugDotFlagsVerbose);
  }
  static int child_graph(NodeHandle node, GraphHandle* to) {
    return cudaGraphChildGraphNodeGetGraph(node, to);
  }
  static int graph_destroy(GraphHandle graph) { return cudaGraphDestroy(graph); }
  static int instantiate(ExecHandle* to, GraphHandle graph) {
    return cudaGraphInstantiate(to, graph, 0);
  }
  static int upload(ExecHandle exec, StreamHandle stream) { return cudaGraphUpload(exec, stream); }
  static int launch(ExecHandle exec, StreamHandle stream) { return cudaGraphLaunch(exec, stream); }
  static int exec_destroy(ExecHandle exec) { return cudaGraphExecDestroy(exec); }
};

/// Dense operations per clock of one multiprocessor; 0 where not in the table. f16, bf16 and e4m3
/// as the tensor cores do them, f32 as the CUDA cores do (a TF32 product may exceed it), f64 as
/// the FP64 tensor cores do. From the tables of the NVIDIA A100 (GA100, sm_80) and H100 (GH100,
/// sm_90) Tensor Core GPU architecture whitepapers; an H200 has the SMs of an H100. NVIDIA's
/// headline rates take a lower clock than the device's highest, so they are up to 8 % lower.
inline double CudaApi::flops_per_clock(int major, int minor, DType type) {
  const bool hopper = major == 9 && minor == 0;
  const bool ampere = major == 8 && minor == 0;
  if (!hopper && !ampere) return 0;
  switch (type) {
    case DType::f16:
    case DType::bf16:
      return hopper ? 4096 : 2048;
    case DType::e4m3:
      return hopper ? 8192 : 0;
    case DType::f32:
      return hopper ? 256 : 128;
    case DType::f64:
      return hopper ? 256 : 128;
    default:
      return 0;
  }
}

}  // namespace zl
