#pragma once

#include <string>
#include <vector>

#include "device/device.hpp"

namespace zl::doctor {

/// CTest's resource specification, version 1.0: a slot of the type `backend` on each device, whose
/// id is its ordinal. Without a device it holds one of ordinal 0: to a test that asks for what is
/// not in it CTest says no more than that resources are insufficient, while one that runs says that
/// there is no device.
std::string resource_spec(const std::string& backend, const std::vector<DeviceIdentity>& devices);

}  // namespace zl::doctor
