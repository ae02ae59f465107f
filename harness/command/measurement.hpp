#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "measure/result.hpp"

namespace zl {

/// What a command wrote of its measurement (docs/commands.md).
struct CommandMeasurement {
  std::string skip;    ///< why the case cannot be measured here; empty: it was
  std::string failed;  ///< what went wrong with the op; empty: nothing
  std::vector<double> samples_us;
  std::string method;  ///< a word for how the command measures
  Cache cache = Cache::warm;
  std::string cold_by;
  std::int64_t calls_per_sample = 1;
  std::optional<bool> verified;
  std::optional<double> bytes;
  std::optional<double> flops;
  std::map<std::string, std::string> notes;
};

/// Reads and checks the file. Where there is none: nothing. Errc::untimeable where the samples are
/// no times; Errc::usage for whatever else is wrong, naming the key, what it is and what is
/// allowed.
std::optional<CommandMeasurement> read_measurement(const std::string& path);

}  // namespace zl
