#pragma once

#include <cstdlib>
#include <cstring>

#include "device/gpu/gpu_device.hpp"

namespace zl {

/// The devices of a GPU runtime.
template <class Api>
class GpuBackend final : public Backend {
 public:
  std::string name() const override { return Api::backend; }

  std::vector<DeviceIdentity> devices() const override {
    int count = 0;
    const int code = Api::device_count(&count);
    if (code != 0 || count == 0) throw_no_device(code);
    std::vector<DeviceIdentity> devices;
    for (int ordinal = 0; ordinal < count; ++ordinal) {
      gpu::Properties properties;
      gpu::check<Api>(Api::properties(&properties, ordinal), "GetDeviceProperties");
      devices.push_back({ordinal, gpu::uuid_text(properties.uuid), properties.name});
    }
    return devices;
  }

  std::unique_ptr<Device> open(const DeviceIdentity& device) const override {
    for (const char* variable : Api::launch_blocking) {
      const char* value = std::getenv(variable);
      if (value != nullptr && *value != '\0' && std::strcmp(value, "0") != 0) {
        throw Error(Errc::usage, std::string(variable) + "=" + value +
                                     " makes every launch wait for its kernel, so nothing timed "
                                     "would be true: unset it");
      }
    }
    return std::make_unique<GpuDevice<Api>>(device);
  }

 private:
  [[noreturn]] static void throw_no_device(int code) {
    const std::string vendor = Api::vendor;
    std::string text;
    if (code == 0 || code == Api::error_no_device) {
      const char* visible = std::getenv(Api::visible_devices);
      text = "no " + vendor + " device is visible" +
             (visible == nullptr ? std::string(": is one installed, and its driver loaded?")
                                 : ": " + std::string(Api::visible_devices) + " is '" + visible +
                                       "', change or unset it");
    } else if (code == Api::error_insufficient_driver) {
      text = missing_driver_text(vendor);
    } else {
      text = std::string(Api::error_text(code)) + "; the " + vendor + " driver does not start";
    }
    Api::get_last_error();
    throw Error(Errc::no_device, code, Api::error_name(code),
                std::string(Api::prefix) + "GetDeviceCount", text);
  }

  static std::string missing_driver_text(const std::string& vendor) {
    int driver = 0;
    int runtime = 0;
    const bool known = Api::driver_version(&driver) == 0 && Api::runtime_version(&runtime) == 0;
    if (!known || driver == 0) {
      return "no " + vendor +
             " driver is loaded: install it, or start the container with its devices";
    }
    const std::string has = gpu::version_text(driver);
    return "the " + vendor + " driver knows version " + has + ", this program needs " +
           gpu::version_text(runtime) + ": update the driver, or build with a " + Api::toolkit +
           " of version " + has + " or older";
  }
};

}  // namespace zl
