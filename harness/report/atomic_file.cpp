#include "report/atomic_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <random>
#include <utility>

#include "zl/error.hpp"

namespace zl {
namespace {

std::string remedy(int code) {
  switch (code) {
    case ENOSPC:
    case EDQUOT:
      return ": free some space, or name another folder";
    case EROFS:
    case EACCES:
    case EPERM:
      return ": name a folder that you can write";
    default:
      return "";
  }
}

[[noreturn]] void fail(const std::string& what, const std::string& path) {
  const int code = errno;
  throw Error(Errc::usage,
              "cannot " + what + " " + path + ": " + std::strerror(code) + remedy(code));
}

class File {
 public:
  File(const std::string& path, int flags) {
    do {
      fd_ = ::open(path.c_str(), flags | O_WRONLY | O_CLOEXEC, 0666);
    } while (fd_ < 0 && errno == EINTR);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() {
    if (fd_ >= 0) ::close(fd_);
  }

  bool is_open() const { return fd_ >= 0; }
  bool write(std::string_view content) {
    while (!content.empty()) {
      const ssize_t written = ::write(fd_, content.data(), content.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return false;
      content.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
  }
  bool sync() { return ::fsync(fd_) == 0; }
  bool close() { return ::close(std::exchange(fd_, -1)) == 0; }

 private:
  int fd_ = -1;
};

/// A new file under a name of its own, removed unless it was renamed.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::filesystem::path& directory)
      : path_((directory / unique_name()).string()), file_(path_, O_CREAT | O_EXCL) {}
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    if (ours_) ::unlink(path_.c_str());
  }

  bool is_open() const { return ours_; }
  bool fill(std::string_view content) {
    return file_.write(content) && file_.sync() && file_.close();
  }
  bool rename_to(const std::string& target) {
    if (::rename(path_.c_str(), target.c_str()) != 0) return false;
    ours_ = false;
    return true;
  }

 private:
  /// Hosts that share a directory may have processes of the same id.
  static std::string unique_name() {
    return ".zl-" + std::to_string(::getpid()) + "-" + std::to_string(std::random_device{}()) +
           ".tmp";
  }

  std::string path_;
  File file_;
  bool ours_ = file_.is_open();
};

}  // namespace

std::string why_unwritable(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  const fs::path parent = fs::path(path).has_parent_path() ? fs::path(path).parent_path() : ".";
  if (fs::is_directory(path, ignored)) return "a file, this is a directory";
  if (!fs::is_directory(parent, ignored)) return "a file in a directory that exists";
  const bool special = fs::exists(path, ignored) && !fs::is_regular_file(path, ignored);
  if (::access(special ? path.c_str() : parent.c_str(), W_OK) == 0) return "";
  return std::string("a file that can be written: ") + std::strerror(errno);
}

void make_directories(const std::string& directory) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (!error) return;
  errno = error.value();
  fail("create directory", directory);
}

void try_to_make_file_in(const std::string& directory) {
  const TemporaryFile file(directory);
  if (!file.is_open()) fail("create a file in", directory);
}

void write_file(const std::string& path, std::string_view content) {
  namespace fs = std::filesystem;
  std::error_code none;
  if (fs::exists(path, none) && !fs::is_regular_file(path, none)) {
    File file(path, 0);
    if (!file.is_open()) fail("open", path);
    if (!file.write(content) || !file.close()) fail("write", path);
    return;
  }
  const fs::path followed = fs::canonical(path, none);
  const fs::path target = none ? fs::path(path) : followed;
  TemporaryFile temporary(target.has_parent_path() ? target.parent_path() : fs::path("."));
  if (!temporary.is_open()) fail("create a file beside", path);
  if (!temporary.fill(content)) fail("write", path);
  if (!temporary.rename_to(target.string())) fail("rename a file to", path);
}

}  // namespace zl
