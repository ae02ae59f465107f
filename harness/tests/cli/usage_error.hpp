#pragma once

#include <gtest/gtest.h>

#include <string>

#include "zl/error.hpp"

namespace zl {

/// The text of the usage error that `call` throws; a test failure if it throws none.
template <class F>
std::string usage_error(const F& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.errc, Errc::usage) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "no error";
  return "";
}

inline void expect_mentions(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' is not in: " << text;
}

}  // namespace zl
