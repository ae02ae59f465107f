#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "device/device.hpp"
#include "zl/registry.hpp"

namespace zl::doctor {

enum class Status : std::uint8_t {
  passed,
  failed,
  unknown,  ///< could not be found out here; no reason to distrust the numbers
};
std::string_view name(Status status);

/// What one check of the machine found.
struct Finding {
  std::string check;
  Status status = Status::unknown;
  std::string found;
  std::string remedy;  ///< where it failed
};

/// Every check that needs the device: its timer, known times through both methods, capture, cold
/// cache, bandwidth, clocks, other processes. `ops` are those of known_ops.cpp. Takes seconds.
std::vector<Finding> examine(Device& device, const std::vector<Op>& ops);

bool all_passed(const std::vector<Finding>& findings);

/// For a person, and for a program.
std::string table(const std::string& device, const std::vector<Finding>& findings, bool colours);
std::string json(const DeviceIdentity& device, const std::string& backend,
                 const std::vector<Finding>& findings);

}  // namespace zl::doctor
