#pragma once

#include <cstddef>
#include <cstdint>

#include "device/fill_formula.hpp"
#include "zl/stream.hpp"
#include "zl/types.hpp"

/// The harness's own kernels, enqueued on `stream`. Each returns the runtime's error code of the
/// launch; `count` may be 0 and above 2^31.
namespace zl::gpu {

/// What a search leaves in device memory.
struct Findings {
  unsigned long long matching = 0;
  unsigned long long first = ~0ull;  ///< the lowest matching index; all ones where none matches
};

int generate(void* to, DType type, std::int64_t count, const FillPlan& fill, std::uint64_t key,
             Stream stream);
int poison(void* to, DType type, std::int64_t count, Stream stream);

// Searches: `findings` is device memory and is set anew.
int find_poison(const void* data, DType type, std::int64_t count, Findings* findings,
                Stream stream);
int find_nonfinite(const void* data, DType type, std::int64_t count, Findings* findings,
                   Stream stream);
int find_differing(const void* got, const void* want, DType type, std::int64_t count,
                   double relative, double absolute, Findings* findings, Stream stream);

/// Reads `bytes` of memory that is all zero.
int sweep(const void* memory, std::size_t bytes, Stream stream);

/// The probe's known kernel: data[i] = 3 data[i] + i.
int scramble(std::uint32_t* data, std::int64_t count, Stream stream);

}  // namespace zl::gpu
