#pragma once

#include <array>
#include <cstddef>
#include <cstdio>
#include <string>

namespace zl::gpu {

/// What a runtime says of a device without a context. 0 where it does not know.
struct Properties {
  std::string name;
  std::array<unsigned char, 16> uuid{};
  std::size_t memory_bytes = 0;
  std::size_t l2_bytes = 0;
  int warp_size = 32;
  int major = 0;  ///< compute capability
  int minor = 0;
  int multiprocessors = 0;
  int clock_khz = 0;  ///< highest
  int memory_clock_khz = 0;
  int memory_bus_bits = 0;
};

/// "GPU-01234567-89ab-cdef-0123-456789abcdef", as nvidia-smi prints it.
inline std::string uuid_text(const std::array<unsigned char, 16>& uuid) {
  std::string text = "GPU";
  for (std::size_t i = 0; i < uuid.size(); ++i) {
    if (i == 0 || i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    char hex[3];
    std::snprintf(hex, sizeof hex, "%02x", static_cast<unsigned>(uuid[i]));
    text += hex;
  }
  return text;
}

/// A version number of the runtime (13000) as "13.0".
inline std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

/// What a node of a captured graph is to inspect().
enum class NodeKind {
  kernel,
  work,        ///< copy, memset, host function, conditional
  child,       ///< a graph of its own
  allocation,  ///< of memory, in stream order
  other,       ///< ordering only: empty, event; and the release of memory
};

}  // namespace zl::gpu
