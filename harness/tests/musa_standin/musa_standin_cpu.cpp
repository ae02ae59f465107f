#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <set>

#include "musa_profiler_api.h"
#include "musa_standin.hpp"

using Clock = std::chrono::steady_clock;

struct MUgraphNode_st {
  musaGraphNodeType type;
  std::function<void()> work;
};
struct MUgraph_st {
  std::vector<std::unique_ptr<MUgraphNode_st>> nodes;
};
struct MUstream_st {
  std::unique_ptr<MUgraph_st> capture;
  bool invalid = false;
};
struct MUevent_st {
  Clock::time_point at;
};
struct MUgraphExec_st {
  musaGraph_t graph;
};

namespace musa_standin {
namespace {

std::set<musaStream_t> streams;
std::set<musaGraph_t> graphs;
MUstream_st default_stream;

MUstream_st& stream_of(musaStream_t stream) { return stream ? *stream : default_stream; }

musaError_t failed(int code) {
  state().last_error = code;
  return musaError_t(code);
}

/// What a call returns before it does anything: the planned failure, or that the context is dead.
int entry(const char* call) {
  State& s = state();
  ++s.calls[call];
  if (s.dead) return failed(musaErrorIllegalAddress);
  for (Fault& fault : s.faults) {
    if (fault.call != call || (!fault.phase.empty() && fault.phase != s.phase)) continue;
    if (fault.skip > 0) {
      --fault.skip;
      continue;
    }
    if (fault.times == 0) continue;
    --fault.times;
    s.dead = fault.kills;
    return failed(fault.code);
  }
  return 0;
}

bool invalidate_captures() {
  bool any = false;
  for (const musaStream_t stream : streams) {
    if (!stream->capture) continue;
    stream->invalid = true;
    any = true;
  }
  return any;
}

int wait_for_work() {
  State& s = state();
  if (s.pending == 0) return 0;
  const int code = s.pending;
  s.pending = 0;
  s.dead = s.pending_kills;
  return failed(code);
}

void run(const std::function<void()>& work) {
  State& s = state();
  if (const int code = entry("kernel")) {
    s.pending = code;
    s.pending_kills = s.dead;
    s.dead = false;
    s.last_error = 0;
    return;
  }
  work();
}

int enqueue(musaStream_t stream, musaGraphNodeType type, std::function<void()> work) {
  MUstream_st& to = stream_of(stream);
  if (to.capture) {
    to.capture->nodes.push_back(
        std::make_unique<MUgraphNode_st>(MUgraphNode_st{type, std::move(work)}));
  } else if (type == musaGraphNodeTypeKernel) {
    run(work);
  } else {
    work();
  }
  return 0;
}

}  // namespace

State& state() {
  static State one;
  return one;
}

void reset() { state() = State(); }

int launch(musaStream_t stream, std::function<void()> body, double us) {
  if (const int code = entry("musaLaunchKernel")) return code;
  return enqueue(stream, musaGraphNodeTypeKernel, [body = std::move(body), us] {
    const auto end = Clock::now() + std::chrono::duration<double, std::micro>(us);
    body();
    while (Clock::now() < end) {
    }
  });
}

bool is_captured(musaStream_t stream) { return stream_of(stream).capture != nullptr; }

}  // namespace musa_standin

using namespace musa_standin;

// Every call but those that read errors starts with this.
#define ZL_ENTER() \
  if (const int code = entry(__func__)) return musaError_t(code)
// A call that a capture of any stream forbids.
#define ZL_REFUSE_IN_CAPTURE() \
  if (invalidate_captures()) return failed(musaErrorStreamCaptureUnsupported)

extern "C" {

const char* musaGetErrorName(musaError_t error) {
  switch (error) {
    case musaSuccess:
      return "musaSuccess";
    case musaErrorMemoryAllocation:
      return "musaErrorMemoryAllocation";
    case musaErrorNoDevice:
      return "musaErrorNoDevice";
    case musaErrorInsufficientDriver:
      return "musaErrorInsufficientDriver";
    case musaErrorNoKernelImageForDevice:
      return "musaErrorNoKernelImageForDevice";
    case musaErrorIllegalAddress:
      return "musaErrorIllegalAddress";
    case musaErrorStreamCaptureUnsupported:
      return "musaErrorStreamCaptureUnsupported";
    case musaErrorStreamCaptureInvalidated:
      return "musaErrorStreamCaptureInvalidated";
    case musaErrorUnknown:
      return "musaErrorUnknown";
    default:
      return "musaError";
  }
}
const char* musaGetErrorString(musaError_t error) {
  return error == musaErrorUnknown ? "unknown error" : "stand-in error";
}
musaError_t musaGetLastError(void) {
  const int code = state().last_error;
  state().last_error = 0;
  return musaError_t(code);
}
musaError_t musaPeekAtLastError(void) { return musaError_t(state().last_error); }

musaError_t musaGetDeviceCount(int* count) {
  *count = state().devices;
  return state().device_count_error ? failed(state().device_count_error) : musaSuccess;
}
musaError_t musaDriverGetVersion(int* version) {
  *version = state().driver_version;
  return musaSuccess;
}
musaError_t musaRuntimeGetVersion(int* version) {
  *version = MUSART_VERSION;
  return musaSuccess;
}
musaError_t musaSetDevice(int) {
  ZL_ENTER();
  return musaSuccess;
}
musaError_t musaGetDeviceProperties(musaDeviceProp* to, int) {
  *to = musaDeviceProp();
  std::strcpy(to->name, "MUSA stand-in");
  std::memcpy(to->uuid.bytes, "musa-stand-in-00", sizeof to->uuid.bytes);
  to->totalGlobalMem = state().memory_bytes;
  to->warpSize = state().warp_size;
  to->major = state().warp_size == 128 ? 2 : 3;
  to->multiProcessorCount = 1;
  to->clockRate = 1000000;
  to->l2CacheSize = 1 << 16;
  return musaSuccess;
}
musaError_t musaDeviceSynchronize(void) {
  ZL_ENTER();
  ZL_REFUSE_IN_CAPTURE();
  return musaError_t(wait_for_work());
}
musaError_t musaMemGetInfo(size_t* available, size_t* total) {
  *available = *total = state().memory_bytes;
  return musaSuccess;
}

musaError_t musaMalloc(void** to, size_t bytes) {
  ZL_ENTER();
  ZL_REFUSE_IN_CAPTURE();
  if (bytes > state().memory_bytes) return failed(musaErrorMemoryAllocation);
  *to = std::malloc(std::max<size_t>(bytes, 1));
  ++state().live_blocks;
  return musaSuccess;
}
musaError_t musaFree(void* pointer) {
  if (pointer != nullptr) --state().live_blocks;
  std::free(pointer);
  return musaSuccess;
}
musaError_t musaMemcpy(void* to, const void* from, size_t bytes, musaMemcpyKind) {
  ZL_ENTER();
  if (const int code = wait_for_work()) return musaError_t(code);
  std::memcpy(to, from, bytes);
  return musaSuccess;
}
musaError_t musaMemcpyAsync(void* to, const void* from, size_t bytes, musaMemcpyKind,
                            musaStream_t stream) {
  ZL_ENTER();
  return musaError_t(
      enqueue(stream, musaGraphNodeTypeMemcpy, [=] { std::memcpy(to, from, bytes); }));
}
musaError_t musaMemsetAsync(void* to, int byte, size_t bytes, musaStream_t stream) {
  ZL_ENTER();
  return musaError_t(
      enqueue(stream, musaGraphNodeTypeMemset, [=] { std::memset(to, byte, bytes); }));
}

musaError_t musaStreamCreateWithFlags(musaStream_t* to, unsigned int) {
  ZL_ENTER();
  *to = new MUstream_st();
  streams.insert(*to);
  ++state().live_streams;
  return musaSuccess;
}
musaError_t musaStreamDestroy(musaStream_t stream) {
  streams.erase(stream);
  delete stream;
  --state().live_streams;
  return musaSuccess;
}
musaError_t musaStreamSynchronize(musaStream_t stream) {
  ZL_ENTER();
  if (stream_of(stream).capture) {
    stream_of(stream).invalid = true;
    return failed(musaErrorStreamCaptureUnsupported);
  }
  return musaError_t(wait_for_work());
}
musaError_t musaStreamWaitEvent(musaStream_t, musaEvent_t, unsigned int) {
  ZL_ENTER();
  return musaSuccess;
}
musaError_t musaEventCreate(musaEvent_t* to) {
  ZL_ENTER();
  *to = new MUevent_st();
  ++state().live_events;
  return musaSuccess;
}
musaError_t musaEventDestroy(musaEvent_t event) {
  delete event;
  --state().live_events;
  return musaSuccess;
}
musaError_t musaEventRecord(musaEvent_t event, musaStream_t) {
  ZL_ENTER();
  event->at = Clock::now();
  return musaSuccess;
}
musaError_t musaEventSynchronize(musaEvent_t) {
  ZL_ENTER();
  return musaError_t(wait_for_work());
}
musaError_t musaEventElapsedTime(float* ms, musaEvent_t start, musaEvent_t end) {
  ZL_ENTER();
  *ms = std::chrono::duration<float, std::milli>(end->at - start->at).count();
  return musaSuccess;
}

musaError_t musaStreamBeginCapture(musaStream_t stream, musaStreamCaptureMode) {
  ZL_ENTER();
  if (stream == nullptr) return failed(musaErrorStreamCaptureUnsupported);
  stream->capture = std::make_unique<MUgraph_st>();
  stream->invalid = false;
  return musaSuccess;
}
musaError_t musaStreamEndCapture(musaStream_t stream, musaGraph_t* to) {
  *to = nullptr;
  const std::unique_ptr<MUgraph_st> captured = std::move(stream->capture);
  ZL_ENTER();
  if (!captured || stream->invalid) return failed(musaErrorStreamCaptureInvalidated);
  *to = new MUgraph_st(std::move(*captured));
  graphs.insert(*to);
  ++state().live_graphs;
  return musaSuccess;
}
musaError_t musaStreamIsCapturing(musaStream_t stream, musaStreamCaptureStatus* status) {
  ZL_ENTER();
  const MUstream_st& of = stream_of(stream);
  *status = !of.capture  ? musaStreamCaptureStatusNone
            : of.invalid ? musaStreamCaptureStatusInvalidated
                         : musaStreamCaptureStatusActive;
  return musaSuccess;
}
musaError_t musaGraphGetNodes(musaGraph_t graph, musaGraphNode_t* nodes, size_t* count) {
  ZL_ENTER();
  *count = graph->nodes.size();
  if (nodes != nullptr) {
    std::transform(graph->nodes.begin(), graph->nodes.end(), nodes,
                   [](const auto& node) { return node.get(); });
  }
  return musaSuccess;
}
musaError_t musaGraphNodeGetType(musaGraphNode_t node, musaGraphNodeType* type) {
  *type = node->type;
  return musaSuccess;
}
musaError_t musaGraphChildGraphNodeGetGraph(musaGraphNode_t, musaGraph_t*) {
  return failed(musaErrorNotSupported);
}
musaError_t musaGraphDestroy(musaGraph_t graph) {
  graphs.erase(graph);
  delete graph;
  --state().live_graphs;
  return musaSuccess;
}
#if MUSART_VERSION >= 50100
musaError_t musaGraphInstantiate(musaGraphExec_t* to, musaGraph_t graph, unsigned long long) {
#else
musaError_t musaGraphInstantiate(musaGraphExec_t* to, musaGraph_t graph, musaGraphNode_t*, char*,
                                 size_t) {
#endif
  ZL_ENTER();
  State& s = state();
  if (s.live_execs >= s.exec_limit) return failed(musaErrorUnknown);
  *to = new MUgraphExec_st{graph};
  s.most_live_execs = std::max(s.most_live_execs, ++s.live_execs);
  return musaSuccess;
}
musaError_t musaGraphLaunch(musaGraphExec_t exec, musaStream_t) {
  ZL_ENTER();
  if (graphs.count(exec->graph) == 0) return failed(musaErrorUnknown);
  for (const auto& node : exec->graph->nodes) {
    if (node->type == musaGraphNodeTypeKernel) {
      run(node->work);
    } else {
      node->work();
    }
  }
  return musaSuccess;
}
#if MUSART_VERSION >= 50100
musaError_t musaGraphDebugDotPrint(musaGraph_t graph, const char* path, unsigned int) {
  ZL_ENTER();
  std::ofstream file(path);
  file << "digraph of " << graph->nodes.size() << " nodes";
  return musaSuccess;
}
#endif
musaError_t musaProfilerStart(void) {
  ZL_ENTER();
  state().profiling = true;
  return musaSuccess;
}
musaError_t musaProfilerStop(void) {
  ZL_ENTER();
  state().profiling = false;
  return musaSuccess;
}
musaError_t musaGraphExecDestroy(musaGraphExec_t exec) {
  delete exec;
  --state().live_execs;
  return musaSuccess;
}

}  // extern "C"
