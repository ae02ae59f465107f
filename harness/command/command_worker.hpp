#pragma once

#include "command/command_line.hpp"
#include "device/device.hpp"

namespace zl {

/// The worker's side: takes the device's lock, runs the command, and sends what it wrote as a
/// result. The device is opened only afterwards, so that no context of ours is on it while the
/// command measures. Returns the process's exit code, as run_worker().
int run_command_worker(const CommandLine& line, const Backend& backend);

}  // namespace zl
