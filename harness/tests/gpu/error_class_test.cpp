#include "device/gpu/error_class.hpp"

#include <gtest/gtest.h>

#include <set>

namespace zl {
namespace {

// The lists of the CUDA 13 runtime header, once more and independently of the switch.
const std::set<int> capture_rules{900, 901, 902, 903, 904, 905, 906, 907, 908, 910};
const std::set<int> sticky{214, 220, 226, 700, 702, 710, 714, 715,
                           716, 717, 718, 719, 721, 810, 911};

TEST(ErrorClass, IsDecidedByNumberAlone) {
  for (int code = 1; code < 1000; ++code) {
    const Errc expected = code == 2                   ? Errc::out_of_memory
                          : capture_rules.count(code) ? Errc::capture_rule
                          : sticky.count(code)        ? Errc::sticky
                                                      : Errc::device;
    EXPECT_EQ(gpu::classify(code), expected) << code;
  }
}

TEST(ErrorClass, OnlyEccAndNvlinkNameTheHardware) {
  for (int code = 1; code < 1000; ++code) {
    EXPECT_EQ(gpu::is_hardware_failure(code), code == 214 || code == 220) << code;
  }
}

}  // namespace
}  // namespace zl
