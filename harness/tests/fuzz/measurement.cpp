// The file that a command writes of its measurement, up to the tags made of it.
#include "command/measurement.hpp"

#include <cmath>

#include "command/command_result.hpp"
#include "report/tags.hpp"
#include "tests/fuzz/file_in_memory.hpp"

namespace {

constexpr double wall_ms = 1e6;

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using zl::Errc;
  const zl::fuzz::FileInMemory file(data, size);
  const auto measured = zl::fuzz::parsed([&] { return zl::read_measurement(file.path()).value(); },
                                         {Errc::usage, Errc::untimeable});
  if (!measured || measured->samples_us.empty()) return 0;
  for (const double us : measured->samples_us) zl::fuzz::promised(std::isfinite(us) && us > 0);
  zl::DeviceInfo device;
  device.peak_bandwidth_GBps = 100;
  device.peak_TFLOPS = [](zl::DType) { return std::optional<double>(1); };
  const auto result = zl::fuzz::parsed(
      [&] {
        return zl::command_result({"mm", "own", "f16:bf16", "1x2", "host"}, *measured, wall_ms,
                                  device);
      },
      {Errc::usage, Errc::untimeable});
  if (result) zl::fuzz::promised(!zl::tag_lines(*result).empty());
  return 0;
}
