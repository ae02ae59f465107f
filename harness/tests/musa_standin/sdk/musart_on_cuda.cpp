#include <cuda_profiler_api.h>
#include <cuda_runtime_api.h>
#include <musa_profiler_api.h>
#include <musa_runtime_api.h>

#include <cstdio>
#include <cstring>

// The stand-in for Moore Threads' runtime over CUDA's: every call is forwarded, so that the musa
// preset's own code runs on an NVIDIA GPU. Its device is called "MUSA stand-in", which is how
// results say that they are not of a Moore Threads GPU.

namespace {

musaError_t to(cudaError_t code) { return static_cast<musaError_t>(code); }
cudaStream_t to(musaStream_t stream) { return reinterpret_cast<cudaStream_t>(stream); }
cudaEvent_t to(musaEvent_t event) { return reinterpret_cast<cudaEvent_t>(event); }
cudaGraph_t to(musaGraph_t graph) { return reinterpret_cast<cudaGraph_t>(graph); }
cudaGraphNode_t to(musaGraphNode_t node) { return reinterpret_cast<cudaGraphNode_t>(node); }
cudaGraphExec_t to(musaGraphExec_t exec) { return reinterpret_cast<cudaGraphExec_t>(exec); }
cudaStream_t* to(musaStream_t* stream) { return reinterpret_cast<cudaStream_t*>(stream); }
cudaEvent_t* to(musaEvent_t* event) { return reinterpret_cast<cudaEvent_t*>(event); }
cudaGraph_t* to(musaGraph_t* graph) { return reinterpret_cast<cudaGraph_t*>(graph); }
cudaGraphNode_t* to(musaGraphNode_t* node) { return reinterpret_cast<cudaGraphNode_t*>(node); }
cudaGraphExec_t* to(musaGraphExec_t* exec) { return reinterpret_cast<cudaGraphExec_t*>(exec); }
template <class T>
T to(T value) {
  return value;
}

}  // namespace

extern "C" {

const char* musaGetErrorName(musaError_t code) { return cudaGetErrorName(cudaError_t(code)); }
const char* musaGetErrorString(musaError_t code) { return cudaGetErrorString(cudaError_t(code)); }
musaError_t musaGetLastError() { return to(cudaGetLastError()); }
musaError_t musaPeekAtLastError() { return to(cudaPeekAtLastError()); }
musaError_t musaGetDeviceCount(int* count) { return to(cudaGetDeviceCount(to(count))); }
// CUDA's version would be one of MUSA's that knows no graphs.
musaError_t musaDriverGetVersion(int* version) { return *version = MUSART_VERSION, musaSuccess; }
musaError_t musaRuntimeGetVersion(int* version) { return musaDriverGetVersion(version); }
musaError_t musaGetDevice(int* device) { return to(cudaGetDevice(to(device))); }
musaError_t musaSetDevice(int device) { return to(cudaSetDevice(to(device))); }
musaError_t musaDeviceSynchronize() { return to(cudaDeviceSynchronize()); }
musaError_t musaMemGetInfo(size_t* available, size_t* total) {
  return to(cudaMemGetInfo(to(available), to(total)));
}
musaError_t musaMalloc(void** made, size_t bytes) { return to(cudaMalloc(to(made), to(bytes))); }
musaError_t musaFree(void* pointer) { return to(cudaFree(to(pointer))); }
musaError_t musaMemsetAsync(void* made, int byte, size_t bytes, musaStream_t stream) {
  return to(cudaMemsetAsync(to(made), to(byte), to(bytes), to(stream)));
}
musaError_t musaStreamCreateWithFlags(musaStream_t* made, unsigned int flags) {
  return to(cudaStreamCreateWithFlags(to(made), to(flags)));
}
musaError_t musaStreamDestroy(musaStream_t stream) { return to(cudaStreamDestroy(to(stream))); }
musaError_t musaStreamSynchronize(musaStream_t stream) {
  return to(cudaStreamSynchronize(to(stream)));
}
musaError_t musaStreamWaitEvent(musaStream_t stream, musaEvent_t event, unsigned int flags) {
  return to(cudaStreamWaitEvent(to(stream), to(event), to(flags)));
}
musaError_t musaEventCreate(musaEvent_t* made) { return to(cudaEventCreate(to(made))); }
musaError_t musaEventDestroy(musaEvent_t event) { return to(cudaEventDestroy(to(event))); }
musaError_t musaEventRecord(musaEvent_t event, musaStream_t stream) {
  return to(cudaEventRecord(to(event), to(stream)));
}
musaError_t musaEventSynchronize(musaEvent_t event) { return to(cudaEventSynchronize(to(event))); }
musaError_t musaEventElapsedTime(float* ms, musaEvent_t start, musaEvent_t end) {
  return to(cudaEventElapsedTime(to(ms), to(start), to(end)));
}
musaError_t musaStreamEndCapture(musaStream_t stream, musaGraph_t* made) {
  return to(cudaStreamEndCapture(to(stream), to(made)));
}
musaError_t musaGraphGetNodes(musaGraph_t graph, musaGraphNode_t* nodes, size_t* count) {
  return to(cudaGraphGetNodes(to(graph), to(nodes), to(count)));
}
musaError_t musaGraphChildGraphNodeGetGraph(musaGraphNode_t node, musaGraph_t* made) {
  return to(cudaGraphChildGraphNodeGetGraph(to(node), to(made)));
}
musaError_t musaGraphDestroy(musaGraph_t graph) { return to(cudaGraphDestroy(to(graph))); }
musaError_t musaGraphLaunch(musaGraphExec_t exec, musaStream_t stream) {
  return to(cudaGraphLaunch(to(exec), to(stream)));
}
musaError_t musaGraphExecDestroy(musaGraphExec_t exec) {
  return to(cudaGraphExecDestroy(to(exec)));
}

musaError_t musaProfilerStart() { return to(cudaProfilerStart()); }
musaError_t musaProfilerStop() { return to(cudaProfilerStop()); }
#if MUSART_VERSION >= 50100
musaError_t musaGraphDebugDotPrint(musaGraph_t graph, const char* path, unsigned int flags) {
  return to(cudaGraphDebugDotPrint(to(graph), path, flags));
}
#endif

musaError_t musaDeviceGetAttribute(int* value, enum musaDeviceAttr attribute, int device) {
  return to(cudaDeviceGetAttribute(value, static_cast<cudaDeviceAttr>(attribute), device));
}
musaError_t musaFuncSetAttribute(const void* kernel, enum musaFuncAttribute attribute, int value) {
  return to(cudaFuncSetAttribute(kernel, static_cast<cudaFuncAttribute>(attribute), value));
}
musaError_t musaMemcpy(void* dst, const void* from, size_t bytes, enum musaMemcpyKind kind) {
  return to(cudaMemcpy(dst, from, bytes, static_cast<cudaMemcpyKind>(kind)));
}
musaError_t musaMemcpyAsync(void* dst, const void* from, size_t bytes, enum musaMemcpyKind kind,
                            musaStream_t stream) {
  return to(cudaMemcpyAsync(dst, from, bytes, static_cast<cudaMemcpyKind>(kind), to(stream)));
}

musaError_t musaGetDeviceProperties(struct musaDeviceProp* properties, int device) {
  cudaDeviceProp from{};
  if (const cudaError_t code = cudaGetDeviceProperties(&from, device)) return to(code);
  *properties = {};
  std::snprintf(properties->name, sizeof properties->name, "MUSA stand-in");
  std::memcpy(properties->uuid.bytes, from.uuid.bytes, sizeof properties->uuid.bytes);
  properties->totalGlobalMem = from.totalGlobalMem;
  properties->warpSize = from.warpSize;
  properties->major = from.major;
  properties->minor = from.minor;
  properties->multiProcessorCount = from.multiProcessorCount;
  properties->memoryBusWidth = from.memoryBusWidth;
  properties->l2CacheSize = from.l2CacheSize;
  if (const cudaError_t code =
          cudaDeviceGetAttribute(&properties->clockRate, cudaDevAttrClockRate, device)) {
    return to(code);
  }
  return to(
      cudaDeviceGetAttribute(&properties->memoryClockRate, cudaDevAttrMemoryClockRate, device));
}

musaError_t musaStreamBeginCapture(musaStream_t stream, enum musaStreamCaptureMode mode) {
  return to(cudaStreamBeginCapture(to(stream), static_cast<cudaStreamCaptureMode>(mode)));
}
musaError_t musaStreamIsCapturing(musaStream_t stream, enum musaStreamCaptureStatus* status) {
  cudaStreamCaptureStatus from{};
  const cudaError_t code = cudaStreamIsCapturing(to(stream), &from);
  *status = static_cast<musaStreamCaptureStatus>(from);
  return to(code);
}
musaError_t musaGraphNodeGetType(musaGraphNode_t node, enum musaGraphNodeType* type) {
  cudaGraphNodeType from{};
  const cudaError_t code = cudaGraphNodeGetType(to(node), &from);
  *type = static_cast<musaGraphNodeType>(from);
  return to(code);
}
#if MUSART_VERSION >= 50100
musaError_t musaGraphInstantiate(musaGraphExec_t* exec, musaGraph_t graph,
                                 unsigned long long flags) {
  return to(cudaGraphInstantiate(to(exec), to(graph), flags));
}
#else
musaError_t musaGraphInstantiate(musaGraphExec_t* exec, musaGraph_t graph, musaGraphNode_t*, char*,
                                 size_t) {
  return to(cudaGraphInstantiate(to(exec), to(graph), 0));
}
#endif

}  // extern "C"
