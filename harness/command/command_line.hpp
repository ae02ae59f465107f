#pragma once

#include <string>
#include <vector>

#include "cli/case_selection.hpp"
#include "cli/environment.hpp"
#include "cli/invocation.hpp"

namespace zl {

/// What zl_perf_command_<backend> was asked for.
struct CommandLine {
  Invocation invocation;  ///< its argv is what a worker is started with
  Selected selected;
  std::vector<std::string> command;  ///< with its placeholders
  std::string result_file;           ///< of a worker: where the command is to write
};

/// Reads `[flags] -- command...`. Everything that is wrong is a usage error that names the flag,
/// the value and what is allowed.
CommandLine parse_command_line(const std::vector<std::string>& argv, Environment environment,
                               const std::string& backend);

/// What --help prints.
std::string command_help(const std::string& program);

}  // namespace zl
