/* See musa_runtime_api.h. */
#include <cuda_bf16.h>
