#pragma once

#include "command/measurement.hpp"
#include "device/device.hpp"
#include "measure/result.hpp"

namespace zl {

/// A command's measurement as a result: every number is worked out of its samples. `wall_ms` is how
/// long the command ran: samples that add up to more are untimeable.
Result command_result(const CaseId& id, const CommandMeasurement& measurement, double wall_ms,
                      const DeviceInfo& device);

}  // namespace zl
