#include <cstdlib>

#include "tests/fake/fake_device.hpp"
#include "zl/error.hpp"

/// The fake device as the backend of an executable. ZL_FAKE_FAULTS plans its failures,
/// ZL_FAKE_UUID names it, ZL_FAKE_NO_DEVICE takes it away.
namespace zl {

namespace {

std::string environment(const char* name, const char* otherwise) {
  const char* value = std::getenv(name);
  return value == nullptr ? otherwise : value;
}

struct FakeBackend : Backend {
  std::string name() const override { return "fake"; }
  std::vector<DeviceIdentity> devices() const override {
    if (std::getenv("ZL_FAKE_NO_DEVICE") != nullptr) {
      throw Error(Errc::no_device, "no fake device is plugged in");
    }
    return {{0, environment("ZL_FAKE_UUID", "fake-0"), "Fake GPU"}};
  }
  std::unique_ptr<Device> open(const DeviceIdentity& device) const override {
    auto opened = std::make_unique<fake::FakeDevice>();
    opened->fake_info.identity = device;
    opened->faults = fake::parse_faults(environment("ZL_FAKE_FAULTS", ""));
    return opened;
  }
};

}  // namespace

const Backend& backend() {
  static const FakeBackend fake;
  return fake;
}

}  // namespace zl
