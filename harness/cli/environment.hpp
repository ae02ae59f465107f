#pragma once

#include <map>
#include <string>

namespace zl {

/// Everything that the environment says; read once, here and nowhere else. NO_COLOR and FORCE_COLOR
/// belong to the marker printer, the visible-device variables to the vendor's runtime.
struct Environment {
  bool capture_enabled = true;  ///< ZL_ENABLE_CUDAGRAPH=0 turns it off
  bool require_device = false;  ///< ZL_REQUIRE_DEVICE=1
  std::string lock_dir;         ///< ZL_LOCK_DIR, else /tmp/zl-bench-locks
  std::string result_dir;       ///< ZL_RESULT_DIR: in place of what --zl_result_dir names
  std::string marker_op;        ///< FLAGGEMS_PERF_CURRENT_OP
  bool verbose = false;         ///< ZL_VERBOSE=1
  /// CTEST_RESOURCE_GROUP_COUNT, CTEST_RESOURCE_GROUP_0, CTEST_RESOURCE_GROUP_0_<TYPE>, ...
  std::map<std::string, std::string> resource_variables;
};

/// From a null-terminated list of NAME=value, as `environ`. A switch that is neither 0 nor 1 is a
/// usage error: guessing would measure something else than was asked for.
Environment read_environment(const char* const* variables);

}  // namespace zl
