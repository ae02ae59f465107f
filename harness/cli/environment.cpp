#include "cli/environment.hpp"

#include <string_view>

#include "zl/error.hpp"

namespace zl {
namespace {

bool switch_value(const std::string& name, const std::string& value, bool otherwise) {
  if (value.empty()) return otherwise;
  if (value == "0") return false;
  if (value == "1") return true;
  throw Error(Errc::usage, name + "='" + value + "': expected 0 or 1");
}

}  // namespace

Environment read_environment(const char* const* variables) {
  Environment found;
  found.lock_dir = "/tmp/zl-bench-locks";
  for (; variables != nullptr && *variables != nullptr; ++variables) {
    const std::string_view entry(*variables);
    const std::size_t equals = entry.find('=');
    if (equals == std::string_view::npos) continue;
    const std::string name(entry.substr(0, equals));
    const std::string value(entry.substr(equals + 1));
    if (name == "ZL_ENABLE_CUDAGRAPH") {
      found.capture_enabled = switch_value(name, value, true);
    } else if (name == "ZL_REQUIRE_DEVICE") {
      found.require_device = switch_value(name, value, false);
    } else if (name == "ZL_VERBOSE") {
      found.verbose = switch_value(name, value, false);
    } else if (name == "ZL_LOCK_DIR") {
      if (!value.empty()) found.lock_dir = value;
    } else if (name == "ZL_RESULT_DIR") {
      found.result_dir = value;
    } else if (name == "FLAGGEMS_PERF_CURRENT_OP") {
      found.marker_op = value;
    } else if (name.rfind("CTEST_RESOURCE_GROUP_", 0) == 0) {
      found.resource_variables[name] = value;
    }
  }
  return found;
}

}  // namespace zl
