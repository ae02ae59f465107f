// What a GPU backend says of a machine or a build that it cannot measure with, by way of MUSA's
// stand-in: the messages are those of CUDA with the vendor's names.
#include <cstdlib>

#include "musa_case.hpp"

namespace zl::test {
namespace {

void expect_no_device(int code, const std::string& says) {
  state().device_count_error = code;
  try {
    backend().devices();
    ADD_FAILURE() << code;
  } catch (const Error& e) {
    EXPECT_EQ(e.errc, Errc::no_device);
    EXPECT_NE(std::string(e.what()).find(says), std::string::npos) << e.what();
  }
}

TEST_F(Musa, WithoutADeviceItSaysWhatIsMissing) {
  const std::pair<int, const char*> cases[] = {
      {musaErrorNoDevice, "no Moore Threads device is visible: is one installed, and its driver "},
      {musaErrorInitializationError, "does not start"}};
  for (const auto& [code, says] : cases) {
    expect_no_device(code, says);
  }
  ::setenv("MUSA_VISIBLE_DEVICES", "", 1);
  expect_no_device(musaErrorNoDevice,
                   "no Moore Threads device is visible: MUSA_VISIBLE_DEVICES is '', change or "
                   "unset it");
  ::unsetenv("MUSA_VISIBLE_DEVICES");
}

TEST_F(Musa, AnOlderDriverIsToldBothVersionsAndWhatToDo) {
  state().driver_version = 30000;
  expect_no_device(musaErrorInsufficientDriver,
                   "the Moore Threads driver knows version 30.0, this program needs " +
                       gpu::version_text(MUSART_VERSION) +
                       ": update the driver, or build with a MUSA SDK of version 30.0 or older");
  state().driver_version = 0;
  expect_no_device(musaErrorInsufficientDriver,
                   "no Moore Threads driver is loaded: install it, or start the container with "
                   "its devices");
}

const std::string built_for_another_architecture =
    "nothing here was built for MUSA stand-in, architecture mp_" +
    std::string(MUSART_VERSION >= 50100 ? "30" : "20") +
    ": configure with -DZL_MUSA_ARCHITECTURES=mp_" +
    std::string(MUSART_VERSION >= 50100 ? "30" : "20") + " and build again";

TEST_F(Musa, AKernelForAnotherArchitectureIsItsOwnFaultAndNotTheCaptures) {
  // Unchecked, and through the op's own check.
  for (const bool checked : {false, true}) {
    const Result r = run([=](Stream) {
      state().last_error = checked ? 0 : musaErrorNoKernelImageForDevice;
      if (!checked) return;
      throw Error(Errc::device, musaErrorNoKernelImageForDevice, "musaErrorNoKernelImageForDevice",
                  "twice", "no kernel image");
    });
    EXPECT_EQ(r.verdict, Verdict::kernel_failed) << r.message;
    EXPECT_EQ(r.message.rfind("in verify: ", 0), 0u) << r.message;
    EXPECT_NE(r.message.find("musaErrorNoKernelImageForDevice (209)"), std::string::npos);
    EXPECT_NE(r.message.find("; " + built_for_another_architecture), std::string::npos)
        << r.message;
    EXPECT_TRUE(told.markers.empty());
    EXPECT_FALSE(r.has_latency());
    expect_nothing_left();
  }
}

TEST_F(Musa, AHarnessForAnotherArchitectureSaysSo) {
  state().faults = {{.call = "musaLaunchKernel", .code = musaErrorNoKernelImageForDevice}};
  const Result r = run();
  EXPECT_EQ(r.verdict, Verdict::kernel_failed) << r.message;
  EXPECT_NE(r.message.find("; " + built_for_another_architecture), std::string::npos) << r.message;
}

TEST_F(Musa, AKernelThatOnlyACaptureLacksIsRecoverable) {
  expect_fallback(run([](Stream s) {
                    if (!musa_standin::is_captured(s)) return;
                    throw Error(Errc::device, musaErrorNoKernelImageForDevice,
                                "musaErrorNoKernelImageForDevice", "twice", "no kernel image");
                  }),
                  "capture:musaErrorNoKernelImageForDevice");
}

TEST_F(Musa, BlockingLaunchesAreRefused) {
  for (const char* variable : {"MUSA_LAUNCH_BLOCKING", "CUDA_LAUNCH_BLOCKING"}) {
    ::setenv(variable, "1", 1);
    try {
      backend().open(backend().devices().front());
      ADD_FAILURE() << variable;
    } catch (const Error& e) {
      EXPECT_EQ(e.errc, Errc::usage);
      EXPECT_EQ(std::string(e.what()), std::string(variable) +
                                           "=1 makes every launch wait for its kernel, so nothing "
                                           "timed would be true: unset it");
    }
    ::unsetenv(variable);
  }
}

}  // namespace
}  // namespace zl::test
