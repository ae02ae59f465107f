#include "supervisor/device_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <thread>

#include "zl/error.hpp"

namespace zl {
namespace {

constexpr auto poll_interval = std::chrono::milliseconds(20);

[[noreturn]] void refuse(const std::string& path, int error) {
  throw Error(Errc::usage, "device lock " + path + ": " + std::strerror(error) +
                               "; set ZL_LOCK_DIR to a folder that every user can write");
}

void make_directory(const std::string& directory) {
  std::error_code ignored;
  std::filesystem::create_directories(std::filesystem::path(directory).parent_path(), ignored);
  // Like /tmp: everybody may add a file, nobody may remove another user's.
  if (::mkdir(directory.c_str(), 01777) == 0) {
    ::chmod(directory.c_str(), 01777);  // past the umask
  } else if (errno != EEXIST) {
    refuse(directory, errno);
  }
}

}  // namespace

std::string lock_file_name(const std::string& uuid) {
  std::string name = uuid.empty() ? "unnamed" : uuid;
  for (char& c : name) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '_';
    if (!plain) c = '-';
  }
  return name + ".lock";
}

DeviceLock::DeviceLock(std::string directory, const std::string& uuid)
    : directory_(std::move(directory)), path_(directory_ + "/" + lock_file_name(uuid)) {
  make_directory(directory_);
  open();
}

void DeviceLock::open() {
  // In a sticky folder the kernel (fs.protected_regular) refuses O_CREAT on another user's file, so
  // first without it. Reading is enough to lock; writing is only for the note.
  constexpr int flags = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
  for (int attempt = 0; attempt < 100; ++attempt) {
    file_ = FileDescriptor(::open(path_.c_str(), O_RDWR | flags));
    if (!file_ && errno == EACCES) file_ = FileDescriptor(::open(path_.c_str(), O_RDONLY | flags));
    if (!file_ && errno == ENOENT) {
      file_ = FileDescriptor(::open(path_.c_str(), O_RDWR | O_CREAT | O_EXCL | flags, 0666));
      if (file_) ::fchmod(file_.get(), 0666);  // past the umask
    }
    if (file_) break;
    if (errno != EEXIST) refuse(path_, errno);  // EEXIST: somebody else has just created it
  }
  struct stat status {};
  if (!file_ || ::fstat(file_.get(), &status) != 0 || !S_ISREG(status.st_mode)) {
    refuse(path_, EINVAL);
  }
}

/// Whether the path still leads to the open file: a cleaner of /tmp may have removed it.
bool DeviceLock::is_current() const {
  struct stat open_file {};
  struct stat named_file {};
  return ::fstat(file_.get(), &open_file) == 0 && ::stat(path_.c_str(), &named_file) == 0 &&
         open_file.st_ino == named_file.st_ino && open_file.st_dev == named_file.st_dev;
}

bool DeviceLock::try_acquire() {
  while (::flock(file_.get(), LOCK_EX | LOCK_NB) == 0) {
    if (is_current()) {
      leave_note();
      held_ = true;
      return true;
    }
    open();
  }
  if (errno != EWOULDBLOCK && errno != EINTR) refuse(path_, errno);
  return false;
}

bool DeviceLock::holds(const std::string& uuid) const {
  return held_ && path_ == directory_ + "/" + lock_file_name(uuid);
}

bool DeviceLock::acquire(std::chrono::steady_clock::time_point deadline,
                         const std::function<void(const std::string&)>& waiting) {
  bool told = false;
  while (!try_acquire()) {
    if (!std::exchange(told, true)) waiting(holder());
    if (std::chrono::steady_clock::now() >= deadline) return false;
    std::this_thread::sleep_for(poll_interval);
  }
  return true;
}

void DeviceLock::leave_note() const {
  const std::string note = std::to_string(::getpid()) + "\n";
  // Best effort: another user's file may be read-only.
  if (::ftruncate(file_.get(), 0) == 0) {
    [[maybe_unused]] const auto written = ::pwrite(file_.get(), note.data(), note.size(), 0);
  }
}

std::string DeviceLock::holder() const {
  char note[32] = {};
  const ssize_t size = ::pread(file_.get(), note, sizeof note - 1, 0);
  std::string pid;
  for (ssize_t i = 0; i < size && std::isdigit(static_cast<unsigned char>(note[i])) != 0; ++i) {
    pid += note[i];
  }
  return pid.empty() ? "another process" : "process " + pid;
}

std::string waiting_text(const DeviceIdentity& device, const std::string& holder) {
  return "zl: waiting for " + device.name + " (" + device.uuid + "), in use by " + holder + "\n";
}

std::string busy_text(const DeviceIdentity& device, const std::string& holder) {
  return device.name + " (" + device.uuid + ") stayed in use by " + holder +
         "; wait for it, or allow more with --zl_lock_wait_s and TIMEOUT";
}

}  // namespace zl
