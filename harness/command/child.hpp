#pragma once

#include <string>
#include <vector>

#include "supervisor/file_descriptor.hpp"
#include "supervisor/worker_process.hpp"

namespace zl {

/// How a command ended, and after which time.
struct CommandEnd {
  Ending ending;
  double wall_ms = 0;
};

/// Runs a command in this process's group, with its output, until it ends. The kernel kills it when
/// this process dies, and it keeps a descriptor of `lock`, so that the device stays taken for as
/// long as it uses it. A usage error where it cannot be started.
CommandEnd run_command(const std::vector<std::string>& argv,
                       const std::vector<std::string>& environment, const FileDescriptor& lock);

/// This process's environment, and in it for a GPU the one device that is to be used: the vendor's
/// list of visible devices (CUDA_VISIBLE_DEVICES, ...) shrinks to the `ordinal`-th of them.
std::vector<std::string> environment_for(const std::string& backend, int ordinal);

}  // namespace zl
