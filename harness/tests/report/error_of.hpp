#pragma once

#include <optional>
#include <utility>

#include "zl/error.hpp"

namespace zl::test {

/// The zl::Error that `f` throws; empty where it throws none.
template <class F>
std::optional<Error> error_of(F&& f) {
  try {
    std::forward<F>(f)();
  } catch (const Error& e) {
    return e;
  }
  return std::nullopt;
}

}  // namespace zl::test
