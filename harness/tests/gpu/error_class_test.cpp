#include "device/gpu/error_class.hpp"

#include <gtest/gtest.h>

#include <set>

#include "device/gpu/error_advice.hpp"

namespace zl {
namespace {

// The lists of the CUDA 13 runtime header, once more and independently of the switch.
const std::set<int> capture_rules{900, 901, 902, 903, 904, 905, 906, 907, 908, 910};
const std::set<int> sticky{214, 220, 226, 700, 702, 710, 714, 715,
                           716, 717, 718, 719, 721, 810, 911};

TEST(ErrorClass, IsDecidedByNumberAlone) {
  for (int code = 1; code < 1000; ++code) {
    const Errc expected = code == 2                      ? Errc::out_of_memory
                          : capture_rules.contains(code) ? Errc::capture_rule
                          : sticky.contains(code)        ? Errc::sticky
                                                         : Errc::device;
    EXPECT_EQ(gpu::classify(code), expected) << code;
  }
}

TEST(ErrorClass, OnlyEccAndNvlinkNameTheHardware) {
  for (int code = 1; code < 1000; ++code) {
    EXPECT_EQ(gpu::is_hardware_failure(code), code == 214 || code == 220) << code;
  }
}

struct Names {
  static constexpr const char* architectures = "CMAKE_CUDA_ARCHITECTURES";
};

TEST(ErrorAdvice, NamesTheArchitectureAndHowToBuildForIt) {
  DeviceInfo device{};
  device.identity = {0, "", "NVIDIA H200"};
  device.architecture.append("90");
  device.driver.append("550.54");
  device.runtime.append("13.0");
  for (const int code : {98, 209}) {
    EXPECT_EQ(gpu::advice<Names>(code, device),
              "nothing here was built for NVIDIA H200, architecture 90: configure with "
              "-DCMAKE_CUDA_ARCHITECTURES=90 and build again");
  }
  EXPECT_EQ(gpu::advice<Names>(222, device),
            "the driver (550.54) is older than the toolkit (13.0): update it, or build for the "
            "device itself: -DCMAKE_CUDA_ARCHITECTURES=90");
  EXPECT_EQ(gpu::advice<Names>(700, device), "");
}

}  // namespace
}  // namespace zl
