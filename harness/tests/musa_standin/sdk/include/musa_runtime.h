/* See musa_runtime_api.h. */
#ifndef ZL_MUSA_STANDIN_RUNTIME_H
#define ZL_MUSA_STANDIN_RUNTIME_H
#ifdef __CUDACC__
#include <cuda_runtime.h>
#endif
#include <musa_runtime_api.h>
#endif
