#pragma once

#include <memory>
#include <string>

#include "device/device.hpp"

namespace zl {

/// Clocks and power of one NVIDIA device, read through NVML. The library belongs to the driver
/// and is loaded at run time: without it everything is unknown and nothing else breaks.
class NvmlClocks {
 public:
  /// `uuid` as DeviceIdentity has it.
  explicit NvmlClocks(const std::string& uuid);
  ~NvmlClocks();
  NvmlClocks(const NvmlClocks&) = delete;
  NvmlClocks& operator=(const NvmlClocks&) = delete;

  ClockState read() const;
  /// "580.65.06"; empty where unknown.
  std::string driver_version() const;

 private:
  struct Library;
  std::unique_ptr<Library> library_;
  void* device_ = nullptr;
};

}  // namespace zl
