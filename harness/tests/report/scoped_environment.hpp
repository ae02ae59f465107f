#pragma once

#include <cstdlib>
#include <optional>
#include <string>

namespace zl::test {

/// Sets a variable, or removes it (nullptr), and puts it back.
class ScopedEnvironment {
 public:
  ScopedEnvironment(const char* variable, const char* value) : variable_(variable) {
    if (const char* before = std::getenv(variable)) before_ = before;
    set(value);
  }
  ScopedEnvironment(const ScopedEnvironment&) = delete;
  ScopedEnvironment& operator=(const ScopedEnvironment&) = delete;
  ~ScopedEnvironment() { set(before_ ? before_->c_str() : nullptr); }

 private:
  void set(const char* value) {
    if (value == nullptr) {
      ::unsetenv(variable_);
    } else {
      ::setenv(variable_, value, 1);
    }
  }
  const char* variable_;
  std::optional<std::string> before_;
};

}  // namespace zl::test
