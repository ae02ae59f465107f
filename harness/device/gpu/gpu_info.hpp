#pragma once

#include "device/device.hpp"
#include "device/gpu/gpu_check.hpp"
#include "device/gpu/gpu_properties.hpp"

namespace zl::gpu {

/// Makes `identity` the thread's device, and tells what is known of it.
template <class Api>
DeviceInfo opened(const DeviceIdentity& identity) {
  check<Api>(Api::set_device(identity.ordinal), "SetDevice");
  Properties properties;
  check<Api>(Api::properties(&properties, identity.ordinal), "GetDeviceProperties");
  int driver = 0;
  int runtime = 0;
  check<Api>(Api::driver_version(&driver), "DriverGetVersion");
  check<Api>(Api::runtime_version(&runtime), "RuntimeGetVersion");
  DeviceInfo info;
  info.identity = identity;
  info.backend = Api::backend;
  info.driver = version_text(driver);
  info.runtime = version_text(runtime);
  info.architecture = Api::architecture(properties.major, properties.minor);
  info.l2_bytes = properties.l2_bytes;
  info.memory_bytes = properties.memory_bytes;
  // Two transfers a clock on every bit of the bus: kHz x 2 x bits / 8 = kB/s.
  const double bandwidth = properties.memory_clock_khz * 2e-6 * properties.memory_bus_bits / 8;
  if (bandwidth > 0) info.peak_bandwidth_GBps = bandwidth;
  const double clocks = 1e-9 * properties.clock_khz * properties.multiprocessors;  // 10^12/s
  const int major = properties.major;
  const int minor = properties.minor;
  info.peak_TFLOPS = [=](DType type) -> std::optional<double> {
    const double rate = clocks * Api::flops_per_clock(major, minor, type);
    return rate > 0 ? std::optional<double>(rate) : std::nullopt;
  };
  info.node_cap = Api::node_cap;
  info.cold_node_cap = Api::cold_node_cap;
  info.is_gpu = true;
  info.can_sweep = true;
  return info;
}

}  // namespace zl::gpu
