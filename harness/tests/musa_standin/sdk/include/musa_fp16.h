/* See musa_runtime_api.h. */
#include <cuda_fp16.h>
