#include "device/gpu/gpu_kernels.hpp"
#include "zl/gpu.hpp"

namespace zl::gpu {
namespace {

constexpr int block_size = 256;

unsigned grid_size(std::int64_t count) {
  const std::int64_t blocks = (count + block_size - 1) / block_size;
  return static_cast<unsigned>(blocks < 8192 ? blocks : 8192);
}

__device__ std::int64_t first_index() {
  return static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}
__device__ std::int64_t stride() { return static_cast<std::int64_t>(gridDim.x) * blockDim.x; }

__global__ void generate_kernel(void* to, DType type, std::int64_t count, FillPlan fill,
                                std::uint64_t key) {
  for (std::int64_t i = first_index(); i < count; i += stride()) {
    fill_element(to, type, fill, key, static_cast<std::uint64_t>(i));
  }
}

template <class Word>
__global__ void poison_kernel(Word* to, std::int64_t count, Word pattern) {
  for (std::int64_t i = first_index(); i < count; i += stride()) to[i] = pattern;
}

__global__ void scramble_kernel(std::uint32_t* data, std::int64_t count) {
  for (std::int64_t i = first_index(); i < count; i += stride()) {
    data[i] = 3 * data[i] + static_cast<std::uint32_t>(i);
  }
}

/// The store never happens, and without it there would be no loads.
__global__ void sweep_kernel(uint4* memory, std::int64_t count) {
  std::uint32_t sum = 0;
  for (std::int64_t i = first_index(); i < count; i += stride()) {
    const uint4 four = memory[i];
    sum |= four.x | four.y | four.z | four.w;
  }
  if (sum != 0) memory[0].x = sum;
}

__global__ void reset_kernel(Findings* findings) {
  findings->matching = 0;
  findings->first = ~0ull;
}

template <class Word>
struct IsPattern {
  const Word* data;
  Word pattern;
  __device__ bool operator()(std::int64_t i) const { return data[i] == pattern; }
};

struct IsNonfinite {
  const void* data;
  DType type;
  __device__ bool operator()(std::int64_t i) const {
    return !isfinite(load_element(data, type, static_cast<std::uint64_t>(i)));
  }
};

struct IsDifferent {
  const void* got;
  const void* want;
  DType type;
  double relative;
  double absolute;
  __device__ bool operator()(std::int64_t i) const {
    const auto index = static_cast<std::uint64_t>(i);
    return !within(load_element(got, type, index), load_element(want, type, index), relative,
                   absolute);
  }
};

/// Shared memory before global: one pair of atomics a block, and only where something matches.
template <class Predicate>
__global__ void search_kernel(Predicate matches, std::int64_t count, Findings* findings) {
  __shared__ unsigned long long block_matching;
  __shared__ unsigned long long block_first;
  if (threadIdx.x == 0) {
    block_matching = 0;
    block_first = ~0ull;
  }
  __syncthreads();
  unsigned long long matching = 0;
  unsigned long long first = ~0ull;
  for (std::int64_t i = first_index(); i < count; i += stride()) {
    if (!matches(i)) continue;
    if (matching == 0) first = static_cast<unsigned long long>(i);
    ++matching;
  }
  if (matching != 0) {
    atomicAdd(&block_matching, matching);
    atomicMin(&block_first, first);
  }
  __syncthreads();
  if (threadIdx.x == 0 && block_matching != 0) {
    atomicAdd(&findings->matching, block_matching);
    atomicMin(&findings->first, block_first);
  }
}

template <class Predicate>
int search(Predicate matches, std::int64_t count, Findings* findings, Stream stream) {
  const NativeStream native = stream;
  reset_kernel<<<1, 1, 0, native>>>(findings);
  if (count > 0) {
    search_kernel<<<grid_size(count), block_size, 0, native>>>(matches, count, findings);
  }
  return last_error();
}

template <class Word>
int poison_words(void* to, DType type, std::int64_t count, Stream stream) {
  const NativeStream native = stream;
  poison_kernel<<<grid_size(count), block_size, 0, native>>>(static_cast<Word*>(to), count,
                                                             static_cast<Word>(poison_bits(type)));
  return last_error();
}

template <class Word>
int find_words(const void* data, DType type, std::int64_t count, Findings* findings,
               Stream stream) {
  return search(
      IsPattern<Word>{static_cast<const Word*>(data), static_cast<Word>(poison_bits(type))}, count,
      findings, stream);
}

}  // namespace

int generate(void* to, DType type, std::int64_t count, const FillPlan& fill, std::uint64_t key,
             Stream stream) {
  if (count == 0) return 0;
  const NativeStream native = stream;
  generate_kernel<<<grid_size(count), block_size, 0, native>>>(to, type, count, fill, key);
  return last_error();
}

int poison(void* to, DType type, std::int64_t count, Stream stream) {
  if (count == 0) return 0;
  switch (size_of(type)) {
    case 1:
      return poison_words<std::uint8_t>(to, type, count, stream);
    case 2:
      return poison_words<std::uint16_t>(to, type, count, stream);
    case 4:
      return poison_words<std::uint32_t>(to, type, count, stream);
    default:
      return poison_words<std::uint64_t>(to, type, count, stream);
  }
}

int find_poison(const void* data, DType type, std::int64_t count, Findings* findings,
                Stream stream) {
  switch (size_of(type)) {
    case 1:
      return find_words<std::uint8_t>(data, type, count, findings, stream);
    case 2:
      return find_words<std::uint16_t>(data, type, count, findings, stream);
    case 4:
      return find_words<std::uint32_t>(data, type, count, findings, stream);
    default:
      return find_words<std::uint64_t>(data, type, count, findings, stream);
  }
}

int find_nonfinite(const void* data, DType type, std::int64_t count, Findings* findings,
                   Stream stream) {
  return search(IsNonfinite{data, type}, is_floating(type) ? count : 0, findings, stream);
}

int find_differing(const void* got, const void* want, DType type, std::int64_t count,
                   double relative, double absolute, Findings* findings, Stream stream) {
  return search(IsDifferent{got, want, type, relative, absolute}, count, findings, stream);
}

int sweep(const void* memory, std::size_t bytes, Stream stream) {
  const NativeStream native = stream;
  const auto count = static_cast<std::int64_t>(bytes / sizeof(uint4));
  sweep_kernel<<<grid_size(count), block_size, 0, native>>>(
      static_cast<uint4*>(const_cast<void*>(memory)), count);
  return last_error();
}

int scramble(std::uint32_t* data, std::int64_t count, Stream stream) {
  const NativeStream native = stream;
  scramble_kernel<<<grid_size(count), block_size, 0, native>>>(data, count);
  return last_error();
}

}  // namespace zl::gpu
