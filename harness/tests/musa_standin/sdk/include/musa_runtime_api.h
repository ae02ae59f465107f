/* The part of Moore Threads' runtime header that zl-bench uses, rewritten from public facts for
 * tests without its SDK. Never installed. MUSART_VERSION chooses between the two signatures of
 * musaGraphInstantiate, as the SDK's versions do. */
#ifndef ZL_MUSA_STANDIN_RUNTIME_API_H
#define ZL_MUSA_STANDIN_RUNTIME_API_H

#include <stddef.h>

#ifndef MUSART_VERSION
#define MUSART_VERSION 50100
#endif

enum musaError {
  musaSuccess = 0,
  musaErrorInvalidValue = 1,
  musaErrorMemoryAllocation = 2,
  musaErrorInitializationError = 3,
  musaErrorInsufficientDriver = 35,
  musaErrorNoDevice = 100,
  musaErrorNoKernelImageForDevice = 209,
  musaErrorInvalidResourceHandle = 400,
  musaErrorNotReady = 600,
  musaErrorIllegalAddress = 700,
  musaErrorLaunchFailure = 719,
  musaErrorNotSupported = 801,
  musaErrorStreamCaptureUnsupported = 900,
  musaErrorStreamCaptureInvalidated = 901,
  musaErrorStreamCaptureUnjoined = 904,
  musaErrorStreamCaptureImplicit = 906,
  musaErrorUnknown = 999
};
typedef enum musaError musaError_t;

#ifdef __CUDACC__ /* the stand-in on CUDA: what a launch takes */
typedef struct CUstream_st* musaStream_t;
#else
typedef struct MUstream_st* musaStream_t;
#endif
typedef struct MUevent_st* musaEvent_t;
typedef struct MUgraph_st* musaGraph_t;
typedef struct MUgraphNode_st* musaGraphNode_t;
typedef struct MUgraphExec_st* musaGraphExec_t;

enum musaMemcpyKind {
  musaMemcpyHostToHost = 0,
  musaMemcpyHostToDevice = 1,
  musaMemcpyDeviceToHost = 2,
  musaMemcpyDeviceToDevice = 3
};
enum musaStreamCaptureMode {
  musaStreamCaptureModeGlobal = 0,
  musaStreamCaptureModeThreadLocal = 1,
  musaStreamCaptureModeRelaxed = 2
};
enum musaStreamCaptureStatus {
  musaStreamCaptureStatusNone = 0,
  musaStreamCaptureStatusActive = 1,
  musaStreamCaptureStatusInvalidated = 2
};
enum musaDeviceAttr { musaDevAttrClockRate = 13 };
enum musaFuncAttribute { musaFuncAttributeMaxDynamicSharedMemorySize = 8 };
enum musaGraphNodeType {
  musaGraphNodeTypeKernel = 0,
  musaGraphNodeTypeMemcpy = 1,
  musaGraphNodeTypeMemset = 2,
  musaGraphNodeTypeHost = 3,
  musaGraphNodeTypeGraph = 4,
  musaGraphNodeTypeEmpty = 5
};
#define musaStreamNonBlocking 1

typedef struct {
  char bytes[16];
} musaUUID_t;

struct musaDeviceProp {
  char name[256];
  musaUUID_t uuid;
  size_t totalGlobalMem;
  int warpSize;
  int clockRate;
  int major;
  int minor;
  int multiProcessorCount;
  int memoryClockRate;
  int memoryBusWidth;
  int l2CacheSize;
};

#ifdef __cplusplus
extern "C" {
#endif

const char* musaGetErrorName(musaError_t error);
const char* musaGetErrorString(musaError_t error);
musaError_t musaGetLastError(void);
musaError_t musaPeekAtLastError(void);

musaError_t musaGetDeviceCount(int* count);
musaError_t musaDriverGetVersion(int* version);
musaError_t musaRuntimeGetVersion(int* version);
musaError_t musaGetDevice(int* device);
musaError_t musaSetDevice(int device);
musaError_t musaDeviceGetAttribute(int* value, enum musaDeviceAttr attribute, int device);
musaError_t musaFuncSetAttribute(const void* kernel, enum musaFuncAttribute attribute, int value);
musaError_t musaGetDeviceProperties(struct musaDeviceProp* properties, int device);
musaError_t musaDeviceSynchronize(void);
musaError_t musaMemGetInfo(size_t* available, size_t* total);

musaError_t musaMalloc(void** to, size_t bytes);
musaError_t musaFree(void* pointer);
musaError_t musaMemcpy(void* to, const void* from, size_t bytes, enum musaMemcpyKind kind);
musaError_t musaMemcpyAsync(void* to, const void* from, size_t bytes, enum musaMemcpyKind kind,
                            musaStream_t stream);
musaError_t musaMemsetAsync(void* to, int byte, size_t bytes, musaStream_t stream);

musaError_t musaStreamCreateWithFlags(musaStream_t* to, unsigned int flags);
musaError_t musaStreamDestroy(musaStream_t stream);
musaError_t musaStreamSynchronize(musaStream_t stream);
musaError_t musaStreamWaitEvent(musaStream_t stream, musaEvent_t event, unsigned int flags);
musaError_t musaEventCreate(musaEvent_t* to);
musaError_t musaEventDestroy(musaEvent_t event);
musaError_t musaEventRecord(musaEvent_t event, musaStream_t stream);
musaError_t musaEventSynchronize(musaEvent_t event);
musaError_t musaEventElapsedTime(float* ms, musaEvent_t start, musaEvent_t end);

musaError_t musaStreamBeginCapture(musaStream_t stream, enum musaStreamCaptureMode mode);
musaError_t musaStreamEndCapture(musaStream_t stream, musaGraph_t* to);
musaError_t musaStreamIsCapturing(musaStream_t stream, enum musaStreamCaptureStatus* status);
musaError_t musaGraphGetNodes(musaGraph_t graph, musaGraphNode_t* nodes, size_t* count);
musaError_t musaGraphNodeGetType(musaGraphNode_t node, enum musaGraphNodeType* type);
musaError_t musaGraphChildGraphNodeGetGraph(musaGraphNode_t node, musaGraph_t* to);
musaError_t musaGraphDestroy(musaGraph_t graph);
#if MUSART_VERSION >= 50100
musaError_t musaGraphInstantiate(musaGraphExec_t* to, musaGraph_t graph, unsigned long long flags);
#else
musaError_t musaGraphInstantiate(musaGraphExec_t* to, musaGraph_t graph, musaGraphNode_t* failed,
                                 char* log, size_t log_bytes);
#endif
#if MUSART_VERSION >= 50100 /* SDKs before 4.2 have none */
musaError_t musaGraphDebugDotPrint(musaGraph_t graph, const char* path, unsigned int flags);
#endif
musaError_t musaGraphLaunch(musaGraphExec_t exec, musaStream_t stream);
musaError_t musaGraphExecDestroy(musaGraphExec_t exec);

#ifdef __cplusplus
}
#endif

#endif
