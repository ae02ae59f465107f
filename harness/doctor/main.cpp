// zl_doctor_<backend>: may numbers of this machine be trusted?
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "cli/environment.hpp"
#include "doctor/checks.hpp"
#include "doctor/resource_spec.hpp"
#include "measure/result.hpp"
#include "report/atomic_file.hpp"
#include "report/console.hpp"
#include "supervisor/device_choice.hpp"
#include "supervisor/device_lock.hpp"
#include "zl/error.hpp"

namespace {

using zl::doctor::Finding;
using zl::doctor::Status;

struct Arguments {
  bool help = false;
  bool as_json = false;
  std::optional<std::string> resource_spec;  ///< the file; empty: stdout
};

constexpr int check_failed = 1;
constexpr auto lock_wait = std::chrono::seconds(60);

void print_help(const char* program) {
  std::printf(
      "usage: %s [--json] [--resource-spec[=FILE]] [--help]\n"
      "Checks whether this machine's device can be measured: timer, capture, known times through\n"
      "both methods, cold cache, bandwidth, clocks, other processes. Takes seconds.\n"
      "  --json   for a program\n"
      "  --resource-spec[=FILE]   no checks: CTest's resource specification of the visible "
      "devices,\n"
      "           printed or put into FILE (ctest --resource-spec-file FILE -j8)\n"
      "Exit code: 0 all well, 1 a check failed, 2 usage or no device though ZL_REQUIRE_DEVICE=1,\n"
      "  10 the device is in use, 77 no device\n",
      program);
}

zl::DeviceIdentity chosen(const zl::Environment& environment) {
  return zl::choose_device(zl::backend().devices(), zl::backend().name(),
                           environment.resource_variables);
}

bool read_argument(const std::string& argument, Arguments* arguments) {
  const std::string with_file = "--resource-spec=";
  if (argument == "--help") {
    arguments->help = true;
  } else if (argument == "--json") {
    arguments->as_json = true;
  } else if (argument == "--resource-spec") {
    arguments->resource_spec = "";
  } else if (argument.rfind(with_file, 0) == 0 && argument != with_file) {
    arguments->resource_spec = argument.substr(with_file.size());
  } else {
    return false;
  }
  return true;
}

/// Where there is no device a build must still go on: the tests say so.
std::vector<zl::DeviceIdentity> visible_devices() {
  try {
    return zl::backend().devices();
  } catch (const zl::Error& error) {
    if (error.errc != zl::Errc::no_device) throw;
    std::fprintf(stderr,
                 "%s; the resource specification has one device all the same, whose tests "
                 "will say so\n",
                 error.what());
    return {};
  }
}

/// `file` empty: printed.
void write_resource_spec(const std::string& file) {
  const std::string text = zl::doctor::resource_spec(zl::backend().name(), visible_devices());
  if (file.empty()) {
    std::fputs(text.c_str(), stdout);
  } else {
    zl::write_file(file, text);
  }
}

int examine(bool as_json, const zl::Environment& environment) {
  const zl::DeviceIdentity identity = chosen(environment);
  zl::DeviceLock lock(environment.lock_dir, identity.uuid);
  const auto waiting = [&](const std::string& holder) {
    std::fputs(zl::waiting_text(identity, holder).c_str(), stderr);
  };
  if (!lock.acquire(std::chrono::steady_clock::now() + lock_wait, waiting)) {
    std::fprintf(stderr, "%s\n", zl::busy_text(identity, lock.holder()).c_str());
    return static_cast<int>(zl::Exit::busy);
  }
  std::vector<Finding> findings{{"lock", Status::passed, "obtained", ""}};
  const auto device = zl::backend().open(identity);
  for (Finding& finding : zl::doctor::examine(*device, zl::registered_ops())) {
    findings.push_back(std::move(finding));
  }
  const std::string title = zl::backend().name() + ": " + identity.name + " " + identity.uuid;
  const std::string text = as_json
                               ? zl::doctor::json(identity, zl::backend().name(), findings)
                               : zl::doctor::table(title, findings, zl::colours_on(STDOUT_FILENO));
  std::fputs(text.c_str(), stdout);
  return zl::doctor::all_passed(findings) ? 0 : check_failed;
}

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i < argc; ++i) {
    if (!read_argument(argv[i], &arguments)) {
      std::fprintf(stderr, "%s: unknown option '%s'; --help shows those there are\n", argv[0],
                   argv[i]);
      return static_cast<int>(zl::Exit::usage);
    }
  }
  if (arguments.help) {
    print_help(argv[0]);
    return 0;
  }
  bool required = false;
  try {
    if (arguments.resource_spec) {
      write_resource_spec(*arguments.resource_spec);
      return 0;
    }
    const zl::Environment environment = zl::read_environment(environ);
    required = environment.require_device;
    return examine(arguments.as_json, environment);
  } catch (const zl::Error& error) {
    std::fprintf(stderr, "%s: %s\n", argv[0], error.what());
    if (error.errc == zl::Errc::no_device && !required) {
      return static_cast<int>(zl::Exit::skipped);
    }
    const bool usage = error.errc == zl::Errc::usage || error.errc == zl::Errc::no_device;
    return static_cast<int>(usage ? zl::Exit::usage : zl::Exit::internal);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", argv[0], error.what());
    return static_cast<int>(zl::Exit::internal);
  }
}
