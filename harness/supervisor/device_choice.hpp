#pragma once

#include <map>
#include <string>
#include <vector>

#include "device/device.hpp"

namespace zl {

/// The device to measure on: where CTest allocated one (`variables` as in Environment; the resource
/// type is the backend's name, an id is an ordinal among the visible devices), that one; else the
/// first visible one. Throws no_device where there is none, and usage, showing the variable, where
/// CTest's allocation cannot be followed.
const DeviceIdentity& choose_device(const std::vector<DeviceIdentity>& visible,
                                    const std::string& backend,
                                    const std::map<std::string, std::string>& variables);

}  // namespace zl
