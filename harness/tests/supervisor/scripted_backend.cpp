// The device of zl_scripted: opening it checks that this process has the device's lock.

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "null_device.hpp"
#include "supervisor/device_lock.hpp"

namespace zl {
namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

/// Throws unless a descriptor of this process is the lock's file, closes on exec, and holds it.
void check_lock(const std::string& uuid) {
  const std::string directory = variable("ZL_LOCK_DIR");
  const std::filesystem::path path = directory + "/" + lock_file_name(uuid);
  bool found = false;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    std::error_code gone;
    if (std::filesystem::read_symlink(entry.path(), gone) != path) continue;
    const int flags = ::fcntl(std::atoi(entry.path().filename().c_str()), F_GETFD);
    if ((flags & FD_CLOEXEC) == 0) throw Error(Errc::internal, "the lock would outlive an exec");
    found = true;
  }
  if (!found) throw Error(Errc::internal, "this process has no descriptor of the lock");
  if (DeviceLock(directory, uuid).try_acquire()) throw Error(Errc::internal, "the lock is free");
}

class ScriptedBackend final : public Backend {
 public:
  std::string name() const override { return "scripted"; }

  std::vector<DeviceIdentity> devices() const override {
    const std::string script = variable("ZL_SCRIPT_DEVICES");
    if (script == "hang") ::pause();
    if (script == "crash") std::abort();
    if (script == "none") throw Error(Errc::no_device, "the runtime sees no device");
    return {{0, "uuid/0", "scripted device 0"}, {1, "uuid/1", "scripted device 1"}};
  }

  std::unique_ptr<Device> open(const DeviceIdentity& device) const override {
    check_lock(device.uuid);
    if (variable("ZL_SCRIPT_DEVICES") == "full") {
      throw Error(Errc::out_of_memory, "no room for a context");
    }
    return std::make_unique<NullDevice>(device);
  }
};

}  // namespace

const Backend& backend() {
  static const ScriptedBackend only;
  return only;
}

}  // namespace zl
