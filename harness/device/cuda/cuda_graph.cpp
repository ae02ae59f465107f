#include <cuda_runtime_api.h>

#include <algorithm>
#include <vector>

#include "device/cuda/cuda_api.hpp"

namespace zl {

int CudaApi::programmatic_edges(cudaGraph_t graph, std::size_t* programmatic) {
  *programmatic = 0;
#if CUDART_VERSION >= 13000
  const auto get = [graph](cudaGraphNode_t* from, cudaGraphNode_t* to, cudaGraphEdgeData* data,
                           std::size_t* n) { return cudaGraphGetEdges(graph, from, to, data, n); };
#elif CUDART_VERSION >= 12030
  const auto get = [graph](cudaGraphNode_t* from, cudaGraphNode_t* to, cudaGraphEdgeData* data,
                           std::size_t* n) {
    return cudaGraphGetEdges_v2(graph, from, to, data, n);
  };
#else
  return 0;  // this runtime cannot say of edges what they are
#endif
#if CUDART_VERSION >= 12030
  std::size_t count = 0;
  if (const int code = get(nullptr, nullptr, nullptr, &count)) return code;
  if (count == 0) return 0;
  std::vector<cudaGraphNode_t> from(count);
  std::vector<cudaGraphNode_t> to(count);
  std::vector<cudaGraphEdgeData> data(count);
  if (const int code = get(from.data(), to.data(), data.data(), &count)) return code;
  *programmatic = static_cast<std::size_t>(
      std::count_if(data.begin(), data.end(), [](const cudaGraphEdgeData& edge) {
        return edge.type == cudaGraphDependencyTypeProgrammatic;
      }));
  return 0;
#endif
}

int CudaApi::add_empty_node_to_capture(cudaStream_t stream) {
  cudaStreamCaptureStatus status{};
  cudaGraph_t graph = nullptr;
  const cudaGraphNode_t* dependencies = nullptr;
  std::size_t count = 0;
#if CUDART_VERSION >= 13000
  const cudaGraphEdgeData* data = nullptr;
  if (const int code = cudaStreamGetCaptureInfo(stream, &status, nullptr, &graph, &dependencies,
                                                &data, &count)) {
    return code;
  }
#elif CUDART_VERSION >= 12030
  const cudaGraphEdgeData* data = nullptr;
  if (const int code = cudaStreamGetCaptureInfo_v3(stream, &status, nullptr, &graph, &dependencies,
                                                   &data, &count)) {
    return code;
  }
#else
  if (const int code =
          cudaStreamGetCaptureInfo_v2(stream, &status, nullptr, &graph, &dependencies, &count)) {
    return code;
  }
#endif
  if (status != cudaStreamCaptureStatusActive) return cudaErrorStreamCaptureInvalidated;
  cudaGraphNode_t node = nullptr;
  if (const int code = cudaGraphAddEmptyNode(&node, graph, dependencies, count)) return code;
#if CUDART_VERSION >= 13000
  return cudaStreamUpdateCaptureDependencies(stream, &node, nullptr, 1,
                                             cudaStreamSetCaptureDependencies);
#else
  return cudaStreamUpdateCaptureDependencies(stream, &node, 1, cudaStreamSetCaptureDependencies);
#endif
}

int CudaApi::reset_persisting_cache(std::size_t* set_aside) {
  *set_aside = 0;
  const int code = cudaDeviceGetLimit(set_aside, cudaLimitPersistingL2CacheSize);
  if (code == cudaErrorUnsupportedLimit || code == cudaErrorInvalidValue) {
    cudaGetLastError();
    return 0;  // an L2 that keeps no lines
  }
  if (code != 0) return code;
  return cudaCtxResetPersistingL2Cache();
}

}  // namespace zl
