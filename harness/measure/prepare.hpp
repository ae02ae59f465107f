#pragma once

#include "measure/calls.hpp"
#include "measure/options.hpp"
#include "measure/result.hpp"
#include "zl/registry.hpp"

namespace zl {

/// "16x4096x7168" as numbers, one for each axis of `op`. A malformed shape is a usage error.
std::vector<std::int64_t> parse_shape(const Op& op, const std::string& shape);
/// A usage error names the implementations that there are.
const Implementation& find_implementation(const Case& c, const std::string& name);
/// What is to be said of implementations that the case has and CMake does not name; empty: nothing.
std::string without_tests(const Case& c, const std::vector<std::string>& known_impls);

/// A case set up on a device: its definition, operands with inputs drawn, and bench stream.
struct Prepared {
  Prepared(Device& device, const Op& op, const CaseId& id, const Options& options);

  Device& device;
  Case definition;
  Rotation rotation;
  Buffers buffers;
  OwnedStream stream;
  Calls calls;
};

}  // namespace zl
