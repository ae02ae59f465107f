// zl_doctor_<backend>: may numbers of this machine be trusted?
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <string>

#include "cli/environment.hpp"
#include "doctor/checks.hpp"
#include "measure/result.hpp"
#include "report/console.hpp"
#include "supervisor/device_choice.hpp"
#include "supervisor/device_lock.hpp"
#include "zl/error.hpp"

namespace {

using zl::doctor::Finding;
using zl::doctor::Status;

constexpr int check_failed = 1;
constexpr auto lock_wait = std::chrono::seconds(60);

void print_help(const char* program) {
  std::printf(
      "usage: %s [--json] [--help]\n"
      "Checks whether this machine's device can be measured: timer, capture, known times through\n"
      "both methods, cold cache, bandwidth, clocks, other processes. Takes seconds.\n"
      "  --json   for a program\n"
      "Exit code: 0 all well, 1 a check failed, 2 usage or no device though ZL_REQUIRE_DEVICE=1,\n"
      "  10 the device is in use, 77 no device\n",
      program);
}

zl::DeviceIdentity chosen(const zl::Environment& environment) {
  return zl::choose_device(zl::backend().devices(), zl::backend().name(),
                           environment.resource_variables);
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
  bool as_json = false;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--help") {
      print_help(argv[0]);
      return 0;
    }
    if (argument != "--json") {
      std::fprintf(stderr, "%s: unknown option '%s'; --help shows those there are\n", argv[0],
                   argv[i]);
      return static_cast<int>(zl::Exit::usage);
    }
    as_json = true;
  }
  bool required = false;
  try {
    const zl::Environment environment = zl::read_environment(environ);
    required = environment.require_device;
    return examine(as_json, environment);
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
