#pragma once

#include <cstdint>

// Compiled by the host compiler, by nvcc and by mcc.
#if defined(__CUDACC__) || defined(__MUSACC__)
#define ZL_HOST_DEVICE __host__ __device__
#else
#define ZL_HOST_DEVICE
#endif

namespace zl {

/// The random numbers of one call of an op that draws: block `b` of the call is
/// `philox4x32_10(offset + b, seed)`. The harness reserves the offsets, so no two calls share one.
struct Philox {
  std::uint64_t seed = 0;
  std::uint64_t offset = 0;  ///< counted in blocks of four 32-bit words
};

struct PhiloxBlock {
  std::uint32_t word[4];
};

/// Philox 4x32 with 10 rounds. Source: Salmon et al., "Parallel random numbers: as easy as 1, 2,
/// 3", SC 2011; the constants are those of Random123.
ZL_HOST_DEVICE inline PhiloxBlock philox4x32_10(std::uint64_t counter_low,
                                                std::uint64_t counter_high, std::uint64_t key) {
  auto c0 = static_cast<std::uint32_t>(counter_low);
  auto c1 = static_cast<std::uint32_t>(counter_low >> 32);
  auto c2 = static_cast<std::uint32_t>(counter_high);
  auto c3 = static_cast<std::uint32_t>(counter_high >> 32);
  auto k0 = static_cast<std::uint32_t>(key);
  auto k1 = static_cast<std::uint32_t>(key >> 32);
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t p0 = std::uint64_t{0xD2511F53u} * c0;
    const std::uint64_t p1 = std::uint64_t{0xCD9E8D57u} * c2;
    c0 = static_cast<std::uint32_t>(p1 >> 32) ^ c1 ^ k0;
    c1 = static_cast<std::uint32_t>(p1);
    c2 = static_cast<std::uint32_t>(p0 >> 32) ^ c3 ^ k1;
    c3 = static_cast<std::uint32_t>(p0);
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
  return {{c0, c1, c2, c3}};
}

/// Block `block` of the numbers of one call.
ZL_HOST_DEVICE inline PhiloxBlock draw(const Philox& call, std::uint64_t block) {
  return philox4x32_10(call.offset + block, 0, call.seed);
}

/// A word as a float in [0, 1), on a grid of 2^-24.
ZL_HOST_DEVICE inline float to_uniform(std::uint32_t word) {
  return static_cast<float>(word >> 8) * 0x1p-24f;
}

}  // namespace zl
