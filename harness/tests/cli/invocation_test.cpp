#include "cli/invocation.hpp"

#include <gtest/gtest.h>

#include "usage_error.hpp"

namespace zl {
namespace {

Invocation invocation_of(const std::vector<std::string>& flags, const Declared& declared = {},
                         const Environment& environment = {}) {
  std::vector<std::string> argv = {"zl_mm_cuda"};
  argv.insert(argv.end(), flags.begin(), flags.end());
  return parse_invocation(argv, declared, environment);
}

TEST(Invocation, TheCommandLineWinsOverWhatCMakeDeclared) {
  Declared declared;
  declared.versus = {"cublaslt"};
  declared.flags = {"--zl_method=graph", "--zl_seed=1"};
  const Invocation plain = invocation_of({}, declared);
  EXPECT_EQ(plain.options.method, MethodChoice::graph);
  EXPECT_EQ(plain.options.versus, "cublaslt");
  const Invocation by_hand = invocation_of({"--zl_method=direct", "--zl_versus="}, declared);
  EXPECT_EQ(by_hand.options.method, MethodChoice::direct);
  EXPECT_EQ(by_hand.options.versus, "");
  EXPECT_EQ(by_hand.options.seed, 1u);
}

TEST(Invocation, TheLaterFlagWins) {
  EXPECT_EQ(invocation_of({"--zl_seed=1", "--zl_seed=2"}).options.seed, 2u);
}

TEST(Invocation, TheEnvironmentReachesTheOptions) {
  Environment environment;
  environment.capture_enabled = false;
  environment.require_device = true;
  environment.marker_op = "mm_out";
  const Options options = invocation_of({}, {}, environment).options;
  EXPECT_FALSE(options.capture_enabled);
  EXPECT_TRUE(options.require_device);
  EXPECT_EQ(options.marker_op, "mm_out");
}

TEST(Invocation, ResultsGoWhereTheEnvironmentSaysIfTheyAreWantedAtAll) {
  Environment elsewhere;
  elsewhere.result_dir = "/mine";
  EXPECT_EQ(invocation_of({"--zl_result_dir=/shared"}, {}, elsewhere).report.result_dir, "/mine");
  EXPECT_EQ(invocation_of({"--zl_result_dir=/shared"}).report.result_dir, "/shared");
  EXPECT_EQ(invocation_of({}, {}, elsewhere).report.result_dir, "");
}

TEST(Invocation, BenchmarkFlagsAreChecked) {
  const Invocation some =
      invocation_of({"--benchmark_filter=own", "--zl_seed=1", "--benchmark_list_tests"});
  EXPECT_EQ(some.benchmark.filter, "own");
  EXPECT_TRUE(some.benchmark.list_tests);
  EXPECT_EQ(some.report.benchmark_args,
            (std::vector<std::string>{"--benchmark_filter=own", "--benchmark_list_tests"}));
  expect_mentions(usage_error([] { invocation_of({"--benchmark_filter=("}); }),
                  "--benchmark_filter");
}

TEST(Invocation, AWorkerLeavesThemToItsSupervisor) {
  const Invocation worker = invocation_of(
      {"--benchmark_filter=own", "--zl_capture=on", "--zl_capture=off", "--zl_worker_fd=5"});
  EXPECT_TRUE(worker.is_worker());
  EXPECT_EQ(worker.worker_fd, 5);
  EXPECT_EQ(worker.benchmark.filter, "");
  EXPECT_FALSE(worker.options.capture_enabled);
}

TEST(Invocation, AProfilerSeesThisProcessAndNothingIsHeldAgainstABaseline) {
  Declared declared;
  declared.flags = {"--zl_baseline=baselines", "--zl_method=graph"};
  const Invocation profiled = invocation_of({"--zl_profile"}, declared);
  EXPECT_TRUE(profiled.in_process);
  EXPECT_EQ(profiled.options.method, MethodChoice::direct);
  EXPECT_EQ(profiled.gate.baseline, "");
  const Invocation not_profiled = invocation_of({"--zl_profile", "--zl_profile=off"}, declared);
  EXPECT_FALSE(not_profiled.in_process);
  EXPECT_EQ(not_profiled.gate.baseline, "baselines");
}

TEST(Invocation, WhatCMakeKnowsOfTheBuildReachesTheMeasurement) {
  Declared declared;
  declared.impls = {"own", "cublaslt"};
  EXPECT_TRUE(invocation_of({}, declared).options.untrusted_build.empty());
  declared.unoptimized = "built without optimization";
  const Invocation invocation = invocation_of({}, declared);
  EXPECT_EQ(invocation.options.untrusted_build,
            std::vector<std::string>{"built without optimization"});
  EXPECT_EQ(invocation.options.known_impls, (std::vector<std::string>{"own", "cublaslt"}));
  detail::device_debug = true;  // as a source compiled with nvcc -G does
  EXPECT_EQ(invocation_of({}).options.untrusted_build,
            std::vector<std::string>{"device code built for the debugger: leave out nvcc's -G"});
  detail::device_debug = false;
}

TEST(Invocation, WithAProfilerNothingIsMeasuredThatAFileCouldHold) {
  for (const std::string flag : {"--zl_dump_graph", "--zl_samples"}) {
    const std::string error = usage_error([&flag] {
      invocation_of({flag + "=" + testing::TempDir() + "file", "--zl_profile"});
    });
    expect_mentions(error, flag);
    expect_mentions(error, "--zl_profile");
  }
}

TEST(Invocation, KeepsItsArgumentsForTheWorker) {
  EXPECT_EQ(invocation_of({"--zl_seed=1"}).argv,
            (std::vector<std::string>{"zl_mm_cuda", "--zl_seed=1"}));
}

TEST(Invocation, ADocumentKeepsOtherTextOffStdout) {
  EXPECT_EQ(invocation_of({}).text_fd(), 1);
  EXPECT_EQ(invocation_of({"--benchmark_format=json"}).text_fd(), 2);
}

}  // namespace
}  // namespace zl
