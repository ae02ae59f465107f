#include "device/host/host_device.hpp"
#include "device/host/host_info.hpp"

namespace zl {

namespace {

struct HostBackend : Backend {
  std::string name() const override { return "host"; }
  std::vector<DeviceIdentity> devices() const override {
    return {{0, "host", host::processor_name()}};
  }
  std::unique_ptr<Device> open(const DeviceIdentity& device) const override {
    return std::make_unique<host::HostDevice>(device);
  }
};

}  // namespace

const Backend& backend() {
  static const HostBackend host;
  return host;
}

}  // namespace zl
