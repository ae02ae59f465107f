#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <string>

#include "device/device.hpp"
#include "supervisor/file_descriptor.hpp"

namespace zl {

/// The exclusive right to use one device: a lock on a file per device uuid. It is held for as long
/// as any copy of its descriptor is open, in whichever process.
class DeviceLock {
 public:
  /// Opens the lock's file, shared by all users of the machine. Throws a usage error naming
  /// ZL_LOCK_DIR where that is not possible.
  DeviceLock(std::string directory, const std::string& uuid);

  /// Takes the lock if nobody has it.
  bool try_acquire();
  /// Tries until `deadline`. `waiting` is called once if the lock is not free at once.
  bool acquire(std::chrono::steady_clock::time_point deadline,
               const std::function<void(const std::string&)>& waiting);
  /// "process 1234", as far as its holder could leave a note.
  std::string holder() const;
  /// Whether this object has taken the lock of the device `uuid`.
  bool holds(const std::string& uuid) const;
  int fd() const { return file_.get(); }

 private:
  void open();
  bool is_current() const;
  void leave_note() const;

  std::string directory_;
  std::string path_;
  FileDescriptor file_;
  bool held_ = false;
};

/// `uuid` with everything but [A-Za-z0-9._-] replaced.
std::string lock_file_name(const std::string& uuid);

/// What a person is told while waiting, and when that was in vain.
std::string waiting_text(const DeviceIdentity& device, const std::string& holder);
std::string busy_text(const DeviceIdentity& device, const std::string& holder);

}  // namespace zl
