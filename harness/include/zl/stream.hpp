#pragma once

namespace zl {

/// A view of a backend's stream. Converts to the vendor's own handle (`cudaStream_t`,
/// `musaStream_t`), so a function that takes one can be called with it. It owns nothing.
class Stream {
 public:
  Stream() = default;
  explicit Stream(void* handle) : handle_(handle) {}
  void* handle() const { return handle_; }
  template <class T>
  operator T*() const {
    return static_cast<T*>(handle_);
  }
  friend bool operator==(Stream a, Stream b) { return a.handle_ == b.handle_; }

 private:
  void* handle_ = nullptr;
};

}  // namespace zl
