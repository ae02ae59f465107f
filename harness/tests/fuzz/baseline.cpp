// A baseline file.
#include "gate/baseline.hpp"

#include <cmath>

#include "tests/fuzz/file_in_memory.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const zl::fuzz::FileInMemory file(data, size);
  const auto baseline = zl::fuzz::parsed([&] { return zl::read_baseline(file.path()); });
  if (!baseline) return 0;
  for (const auto& [key, runs] : baseline->cases) {
    for (const zl::BaselineRun& run : runs) {
      zl::fuzz::promised(std::isfinite(run.median_us) && run.median_us > 0);
    }
  }
  return 0;
}
