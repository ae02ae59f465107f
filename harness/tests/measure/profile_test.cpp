// --zl_profile: one call between the profiler's start and stop, and nothing else there.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/measure/bench.hpp"

namespace zl::test {
namespace {

struct ProfiledBench : Bench {
  ProfiledBench() { options.profile = true; }
};

std::vector<std::string> between_the_marks(const Bench& bench) {
  const auto start =
      std::find(bench.device.log.begin(), bench.device.log.end(), "direct:start_profiler");
  const auto stop = std::find(start, bench.device.log.end(), "direct:stop_profiler");
  EXPECT_NE(stop, bench.device.log.end()) << "not started or not stopped";
  return start == stop ? std::vector<std::string>() : std::vector<std::string>(start + 1, stop);
}

TEST(Profile, OneCallIsBetweenTheMarksAfterVerifyAndWarmUp) {
  ProfiledBench bench;
  std::vector<std::string> ranges;
  bench.define = [&bench, &ranges](Case& c) {
    const auto x = c.in<float>({bench.n}, normal());
    const auto y = c.out<float>({bench.n});
    c.impl(
        "own",
        [&bench, &ranges](Stream s, float* out, const float* in) {
          if (!bench.device.profiled_range.empty()) ranges.push_back(bench.device.profiled_range);
          bench.twice(s, out, in);
        },
        y, x);
    c.expect(y, twice_rows, same_rows(x));
  };
  const Result r = bench.run();
  EXPECT_EQ(r.verdict, Verdict::ok) << r.message;
  EXPECT_EQ(ranges, std::vector<std::string>{"twice/own/f32/64"});
  EXPECT_EQ(between_the_marks(bench),
            (std::vector<std::string>{"direct:enqueue", "direct:synchronize_device"}));
  EXPECT_EQ(bench.progress.phases, (std::vector<Phase>{Phase::gate, Phase::sync, Phase::verify,
                                                       Phase::warmup, Phase::direct}));
  EXPECT_EQ(r.verified, "all rows");
}

TEST(Profile, GivesNoNumber) {
  ProfiledBench bench;
  const Result r = bench.run();
  EXPECT_TRUE(r.metrics.empty());
  EXPECT_TRUE(r.samples_ms.empty());
  EXPECT_NE(r.message.find("profiled: one call"), std::string::npos) << r.message;
  EXPECT_NE(r.message.find("'twice/own/f32/64'"), std::string::npos) << r.message;
  EXPECT_EQ(bench.device.calls["begin_capture"], 0);
  EXPECT_EQ(bench.device.calls["record"], 0);
}

TEST(Profile, WhatPreparesACallIsAheadOfTheMarks) {
  ProfiledBench bench;
  bench.define = [&bench](Case& c) {
    const auto x = c.in<float>({bench.n}, normal());
    const auto y = c.out<float>({bench.n});
    c.impl(
        "own", [&bench](Stream s, float* out, const float* in) { bench.twice(s, out, in); }, y, x);
    c.reset(y);
  };
  EXPECT_EQ(bench.run().verdict, Verdict::ok);
  EXPECT_EQ(between_the_marks(bench),
            (std::vector<std::string>{"direct:enqueue", "direct:synchronize_device"}));
  EXPECT_GT(bench.count("direct", "set_bytes"), 0);
}

TEST(Profile, WithoutItTheProfilerIsLeftAlone) {
  Bench bench;
  EXPECT_EQ(bench.run().verdict, Verdict::ok);
  EXPECT_EQ(bench.device.calls["start_profiler"], 0);
  EXPECT_EQ(bench.device.calls["stop_profiler"], 0);
}

TEST(Profile, AWrongOpIsNotProfiled) {
  ProfiledBench bench;
  bench.define = [&bench](Case& c) {
    const auto x = c.in<float>({bench.n}, normal());
    const auto y = c.out<float>({bench.n});
    c.impl(
        "own", [](Stream s, float*, const float*) { fake::launch(s, 0.01, [] {}); }, y, x);
    c.expect(y, twice_rows, same_rows(x));
  };
  EXPECT_EQ(bench.run().verdict, Verdict::wrong_result);
  EXPECT_EQ(bench.device.calls["start_profiler"], 0);
}

TEST(Profile, AProfilerThatDoesNotStartIsAUsageErrorAheadOfTheCall) {
  ProfiledBench bench;
  bench.device.faults = {{.call = "start_profiler", .code = 801}};
  const Result r = bench.run();
  EXPECT_EQ(r.verdict, Verdict::usage);
  EXPECT_NE(r.message.find("the profiler does not start: start_profiler"), std::string::npos)
      << r.message;
  EXPECT_EQ(bench.count("direct", "enqueue"), 0);
  EXPECT_EQ(bench.device.calls["stop_profiler"], 0);
}

TEST(Profile, AProfilerThatDoesNotStopIsAUsageError) {
  ProfiledBench bench;
  bench.device.faults = {{.call = "stop_profiler", .code = 999}};
  const Result r = bench.run();
  EXPECT_EQ(r.verdict, Verdict::usage);
  EXPECT_NE(r.message.find("the profiler does not stop"), std::string::npos) << r.message;
  EXPECT_EQ(bench.device.calls["stop_profiler"], 1);
}

TEST(Profile, ACallThatFailsIsKernelFailedAndTheProfilerStopped) {
  ProfiledBench bench;
  bench.device.faults = {{.call = "kernel", .phase = "direct", .code = 719}};
  const Result r = bench.run();
  EXPECT_EQ(r.verdict, Verdict::kernel_failed) << r.message;
  EXPECT_EQ(bench.device.calls["stop_profiler"], 1);
  EXPECT_EQ(bench.device.live_streams, 0);
  EXPECT_EQ(bench.device.live_blocks, 0);
}

TEST(Profile, ABackendWithoutAProfilerMakesTheCallAndSaysSo) {
  ProfiledBench bench;
  bench.device.has_profiler = false;
  const Result r = bench.run();
  EXPECT_EQ(r.verdict, Verdict::ok);
  EXPECT_NE(r.message.find("the fake backend has no profiler"), std::string::npos) << r.message;
  EXPECT_EQ(bench.count("direct", "enqueue"), 1);
  EXPECT_EQ(bench.device.calls["stop_profiler"], 0);
}

}  // namespace
}  // namespace zl::test
