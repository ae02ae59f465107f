// Cases on the CPU itself, looked into.
#include <gtest/gtest.h>

#include <atomic>

#include "device/host/host_device.hpp"
#include "tests/measure/bench.hpp"

namespace zl::test {
namespace {

struct HostCase : testing::Test, Recorder {
  void phase(Phase phase) override {
    Recorder::phase(phase);
    if (phase == Phase::direct) calls_before = calls;
  }

  Result run() {
    const auto define = [this](Case& c) {
      const auto x = c.in<float>({64}, normal());
      const auto y = c.out<float>({64});
      c.impl(
          "own",
          [this](Stream, float* out, const float* in) {
            ++calls;
            for (int i = 0; i < 64; ++i) out[i] = 2 * in[i];
          },
          y, x);
      c.expect(y, twice_rows, same_rows(x));
    };
    const Op op{"twice", {"n"}, {{"f32", define}}};
    return measure(device, op, {"twice", "own", "f32", "64", "host"}, options, *this);
  }

  host::HostDevice device{{0, "host", "CPU"}};
  Options options;
  std::atomic<int> calls{0};
  int calls_before = -1;
};

TEST_F(HostCase, ForAProfilerOneCallIsMadeAndThatThereAreNoMarksIsSaid) {
  options.profile = true;
  const Result r = run();
  EXPECT_EQ(r.verdict, Verdict::ok) << r.message;
  EXPECT_EQ(calls, calls_before + 1);
  EXPECT_NE(r.message.find("the host backend has no profiler to start and stop"), std::string::npos)
      << r.message;
  EXPECT_TRUE(r.metrics.empty());
}

TEST_F(HostCase, TheTimedGraphIsTheListOfItsWork) {
  options.dump_graph = "graph.dot";
  const Result r = run();
  EXPECT_EQ(r.verdict, Verdict::ok) << r.message;
  ASSERT_FALSE(graphs.empty());
  const std::string calls_in_it = std::to_string(r.n_repeat);
  EXPECT_EQ(graphs.back().rfind("// zl-bench: the graph of " + calls_in_it + " calls\n", 0), 0u);
  EXPECT_NE(graphs.back().find("\"work " + std::to_string(r.n_repeat - 1) + "\""),
            std::string::npos);
  EXPECT_EQ(graphs.back().find("\"work " + calls_in_it + "\""), std::string::npos);
}

}  // namespace
}  // namespace zl::test
