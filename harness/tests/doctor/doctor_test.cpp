#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "doctor/checks.hpp"
#include "tests/fake/fake_device.hpp"
#include "zl/bench.hpp"

namespace zl::doctor {
namespace {

/// A device of 1000 GB/s that does what known_ops.hpp promises, unless a test spoils it.
struct Machine {
  fake::FakeDevice device;
  double spin_scale = 1;
  double copy_share = 0.9;  ///< of the bandwidth
  double colder_by = 1;     ///< each time that the copies are measured
  std::vector<Op> ops;

  Machine() {
    device.fake_memory = {std::size_t{64} << 30, std::size_t{64} << 30};
    ClockState clocks;
    clocks.sm_mhz = 1980;
    clocks.limit_reasons = "None";
    clocks.processes = 1;
    device.clock_states = {clocks};
    const auto add = [this](const char* name, std::function<void(Case&)> build) {
      ops.push_back({name, {"n"}, {{"f32", std::move(build)}}});
    };
    add("spin", [this](Case& c) {
      const double ms = 1e-6 * static_cast<double>(c.axis("n")) * spin_scale;
      c.impl(
          "own", [ms](Stream s, float* done) { fake::launch(s, ms, [done] { *done = 1; }); },
          c.out<float>({1}));
    });
    add("copy", [this](Case& c) {
      const std::int64_t n = c.axis("n");
      // Few of the bytes are touched, to keep the test quick; the fake takes the time's word for
      // it.
      const double ms = 8.0 * static_cast<double>(n) / (copy_share * 1000e6);
      copy_share /= colder_by;
      const auto y = c.out<float>({1024});
      c.bytes(8.0 * static_cast<double>(n));
      c.impl(
          "own",
          [ms](Stream s, float* out) {
            fake::launch(s, ms, [out] { std::fill_n(out, 1024, 1.0f); });
          },
          y);
    });
  }

  Finding found(const std::string& check) {
    for (const Finding& f : examine(device, ops)) {
      if (f.check == check) return f;
    }
    ADD_FAILURE() << "no check " << check;
    return {};
  }
};

void expect_failed(const Finding& f, const std::string& says) {
  EXPECT_EQ(f.status, Status::failed) << f.found;
  EXPECT_NE((f.found + f.remedy).find(says), std::string::npos) << f.found << "; " << f.remedy;
  EXPECT_NE(f.remedy, "");
}

TEST(Doctor, FindsAHealthyMachineHealthy) {
  Machine machine;
  const std::vector<Finding> findings = examine(machine.device, machine.ops);
  ASSERT_EQ(findings.size(), 8u);
  for (const Finding& f : findings) {
    EXPECT_EQ(f.status, Status::passed) << f.check << ": " << f.found;
    EXPECT_EQ(f.remedy, "");
    EXPECT_NE(f.found, "");
  }
  EXPECT_TRUE(all_passed(findings));
}

TEST(Doctor, FindsATimerThatStandsStillOrRunsBackwards) {
  for (const double scale : {0.0, -1.0}) {
    Machine machine;
    machine.device.timer_scale = scale;
    expect_failed(machine.found("timer"), "events cannot be relied on");
  }
}

TEST(Doctor, FindsAKnownTimeThatIsMeasuredWrong) {
  for (const char* check : {"spin, graph", "spin, direct"}) {
    Machine machine;
    machine.spin_scale = 1.02;
    expect_failed(machine.found(check), "183.60 us");
  }
  Machine within;
  within.spin_scale = 1.005;
  EXPECT_EQ(within.found("spin, graph").status, Status::passed);
}

TEST(Doctor, FindsThatGraphsAreNotCaptured) {
  Machine machine;
  machine.device.supports_capture = false;
  expect_failed(machine.found("capture"), "no_graph");
}

TEST(Doctor, FindsARotationThatIsNotCold) {
  Machine machine;
  machine.colder_by = 1.02;
  expect_failed(machine.found("cold cache"), "+2.00 %");
}

TEST(Doctor, FindsASlowMemory) {
  Machine machine;
  machine.copy_share = 0.7;
  expect_failed(machine.found("bandwidth"), "700 of 1000 GB/s (70 %)");
}

TEST(Doctor, FindsClocksThatHeatHolds) {
  Machine machine;
  machine.device.clock_states[0].slowed = true;
  machine.device.clock_states[0].limit_reasons = "HwThermalSlowdown";
  expect_failed(machine.found("clocks"), "HwThermalSlowdown");
}

TEST(Doctor, FindsAnotherProcess) {
  Machine machine;
  machine.device.clock_states[0].processes = 2;
  expect_failed(machine.found("other processes"), "2 on the device");
}

TEST(Doctor, SaysWhatItCannotKnow) {
  Machine machine;
  machine.device.clock_states[0] = {};
  machine.device.clock_states[0].unknown = "libnvidia-ml.so.1 is not found";
  machine.device.fake_info.peak_bandwidth_GBps.reset();
  const std::vector<Finding> findings = examine(machine.device, machine.ops);
  EXPECT_TRUE(all_passed(findings));
  for (const Finding& f : findings) {
    const bool unknown =
        f.check == "clocks" || f.check == "other processes" || f.check == "bandwidth";
    EXPECT_EQ(f.status, unknown ? Status::unknown : Status::passed) << f.check;
    if (f.check == "clocks") {
      EXPECT_NE(f.found.find("libnvidia-ml.so.1"), std::string::npos);
    }
  }
}

TEST(Doctor, GoesOnAfterACheckThatBreaks) {
  Machine machine;
  machine.device.faults = {{.call = "end_capture", .times = 1, .code = 900}};
  const std::vector<Finding> findings = examine(machine.device, machine.ops);
  ASSERT_EQ(findings.size(), 8u);
  EXPECT_EQ(findings[1].check, "capture");
  EXPECT_EQ(findings[1].status, Status::failed);
  EXPECT_EQ(findings[2].status, Status::passed) << findings[2].found;
}

TEST(Doctor, WritesATableAndJson) {
  const std::vector<Finding> findings = {{"timer", Status::passed, "1 us", ""},
                                         {"cold cache", Status::failed, "off", "mend it"},
                                         {"clocks", Status::unknown, "not known", ""}};
  EXPECT_EQ(table("cuda: H200", findings, false),
            "cuda: H200\n"
            "  passed  timer       1 us\n"
            "  FAILED  cold cache  off\n"
            "                      mend it\n"
            "  unknown clocks      not known\n");
  EXPECT_NE(table("cuda: H200", findings, true).find("\x1b[31mFAILED"), std::string::npos);
  const auto document = nlohmann::json::parse(json({0, "GPU-1", "H200"}, "cuda", findings));
  EXPECT_EQ(document.at("passed"), false);
  EXPECT_EQ(document.at("uuid"), "GPU-1");
  EXPECT_EQ(document.at("checks").at(1).at("status"), "failed");
  EXPECT_EQ(document.at("checks").at(1).at("remedy"), "mend it");
}

}  // namespace
}  // namespace zl::doctor
