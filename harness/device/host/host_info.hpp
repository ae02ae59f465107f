#pragma once

#include "device/device.hpp"

namespace zl::host {

/// The processor's name, last-level cache and memory.
DeviceInfo describe(DeviceIdentity identity);
/// Installed and available memory, within the limits of a cgroup.
MemoryInfo memory_info();
/// The processor's name as /proc/cpuinfo has it.
std::string processor_name();

}  // namespace zl::host
