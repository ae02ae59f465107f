/* Of Moore Threads' runtime what a profiler is started and stopped with. Never installed. */
#ifndef ZL_MUSA_STANDIN_PROFILER_API_H
#define ZL_MUSA_STANDIN_PROFILER_API_H

#include "musa_runtime_api.h"

#ifdef __cplusplus
extern "C" {
#endif

musaError_t musaProfilerStart(void);
musaError_t musaProfilerStop(void);

#ifdef __cplusplus
}
#endif

#endif
