// Every row of the failure table that one process can show; the rows that need a fresh process are
// in tests/supervisor.
#include <gtest/gtest.h>

#include "tests/measure/bench.hpp"

namespace zl::test {
namespace {

struct Planned {
  const char* phase;
  const char* call;
  int skip;
};

std::string title(const ::testing::TestParamInfo<Planned>& info) {
  return std::string(info.param.phase) + "_" + info.param.call + "_" +
         std::to_string(info.param.skip);
}

/// A clean end: nothing open, nothing leaked.
void expect_tidy(const Bench& bench) {
  EXPECT_EQ(bench.device.open_captures(), 0);
  EXPECT_EQ(bench.device.live_streams, 0);
  EXPECT_EQ(bench.device.live_events, 0);
  EXPECT_EQ(bench.device.live_graphs, 0);
  EXPECT_EQ(bench.device.live_execs, 0);
  EXPECT_EQ(bench.device.live_blocks, 0);
}

class EagerError : public ::testing::TestWithParam<Planned> {};

TEST_P(EagerError, IsKernelFailedWithoutARowOrAFallback) {
  const Planned p = GetParam();
  Bench bench;
  if (std::string(p.phase) == "direct") bench.options.method = MethodChoice::direct;
  bench.device.faults = {{.call = p.call, .phase = p.phase, .skip = p.skip, .code = 700}};
  const Result r = bench.run();
  EXPECT_EQ(r.verdict, Verdict::kernel_failed);
  EXPECT_FALSE(r.has_latency());
  EXPECT_TRUE(r.samples_ms.empty());
  EXPECT_FALSE(r.context_dead) << "no second run: the kernel itself is broken";
  EXPECT_TRUE(bench.progress.markers.empty());
  ASSERT_TRUE(r.failure);
  EXPECT_EQ(name(r.failure->phase), p.phase);
  EXPECT_EQ(r.failure->reason, "cudaErrorIllegalAddress");
  EXPECT_NE(r.message.find(p.phase), std::string::npos) << r.message;
  EXPECT_EQ(exit_code(r.verdict), Exit::kernel_failed);
  expect_tidy(bench);
}

INSTANTIATE_TEST_SUITE_P(
    Phases, EagerError,
    ::testing::Values(Planned{"sync", "generate", 0}, Planned{"sync", "synchronize_device", 0},
                      Planned{"sync", "wait", 0}, Planned{"verify", "kernel", 0},
                      Planned{"verify", "enqueue", 0}, Planned{"verify", "synchronize", 0},
                      Planned{"verify", "copy_to_host", 0}, Planned{"warmup", "kernel", 0},
                      Planned{"warmup", "kernel", 1}, Planned{"warmup", "kernel", 30},
                      Planned{"warmup", "enqueue", 5}, Planned{"warmup", "synchronize_device", 2},
                      Planned{"direct", "kernel", 0}, Planned{"direct", "enqueue", 3},
                      Planned{"direct", "record", 1}, Planned{"direct", "elapsed_ms", 0},
                      Planned{"direct", "synchronize", 1}),
    title);

class GraphError : public ::testing::TestWithParam<Planned> {};

TEST_P(GraphError, WithAProbeThatPassesFallsBackBehindAMarker) {
  const Planned p = GetParam();
  Bench bench;
  bench.device.faults = {{.call = p.call, .phase = p.phase, .skip = p.skip, .code = 999}};
  const Result r = bench.run();
  EXPECT_EQ(r.verdict, Verdict::ok) << r.message;
  EXPECT_EQ(r.method, Method::direct);
  EXPECT_EQ(r.capture, Capture::fallback);
  EXPECT_EQ(r.capture_reason, std::string(p.phase) + ":cudaErrorUnknown");
  EXPECT_TRUE(r.has_latency());
  ASSERT_EQ(bench.progress.markers.size(), 1u);
  EXPECT_EQ(bench.progress.markers[0].first, "BENCHMARK_DIRECT_NO_CUDAGRAPH");
  EXPECT_EQ(name(bench.progress.markers[0].second.phase), p.phase);
  EXPECT_EQ(bench.progress.markers[0].second.reason, "cudaErrorUnknown");
  EXPECT_GE(bench.device.calls["probe"], 1);
  EXPECT_GE(bench.device.calls["clear_last_error"], 1);
  EXPECT_EQ(exit_code(r.verdict), Exit::ok);
  expect_tidy(bench);
}

TEST_P(GraphError, WithMethodGraphEndsWithoutANumber) {
  const Planned p = GetParam();
  Bench bench;
  bench.options.method = MethodChoice::graph;
  bench.device.faults = {{.call = p.call, .phase = p.phase, .skip = p.skip, .code = 999}};
  const Result r = bench.run();
  EXPECT_EQ(r.verdict, Verdict::no_graph);
  EXPECT_EQ(exit_code(r.verdict), Exit::no_graph);
  EXPECT_FALSE(r.has_latency());
  EXPECT_TRUE(bench.progress.markers.empty());
  expect_tidy(bench);
}

TEST_P(GraphError, ThatKillsTheContextAsksForAFreshProcess) {
  const Planned p = GetParam();
  Bench bench;
  bench.device.faults = {
      {.call = p.call, .phase = p.phase, .skip = p.skip, .code = 700, .kills = true}};
  const Result r = bench.run();
  EXPECT_TRUE(r.context_dead);
  EXPECT_FALSE(r.has_latency());
  EXPECT_TRUE(bench.progress.markers.empty()) << "the supervisor prints the marker";
  ASSERT_TRUE(r.failure);
  EXPECT_EQ(name(r.failure->phase), p.phase);
  EXPECT_EQ(r.failure->reason, "cudaErrorIllegalAddress");
}

INSTANTIATE_TEST_SUITE_P(
    Phases, GraphError,
    ::testing::Values(Planned{"capture", "create_stream", 0},
                      Planned{"capture", "begin_capture", 0}, Planned{"capture", "enqueue", 0},
                      Planned{"capture", "end_capture", 0}, Planned{"capture", "end_capture", 2},
                      Planned{"capture", "enqueue", 30}, Planned{"capture", "inspect", 0},
                      Planned{"instantiate", "instantiate", 0},
                      Planned{"instantiate", "instantiate", 1}, Planned{"replay", "launch", 0},
                      Planned{"replay", "upload", 0}, Planned{"replay", "kernel", 2},
                      Planned{"replay", "synchronize_device", 0}, Planned{"replay", "launch", 3},
                      Planned{"replay", "synchronize_event", 4}, Planned{"replay", "compare", 1}),
    title);

TEST(FailureTable, ACaptureThatWorksAndAReplayThatDiesHaveTheirOwnPhase) {
  Bench bench;
  bench.device.faults = {
      {.call = "kernel", .phase = "replay", .skip = 300, .code = 700, .kills = true}};
  const Result r = bench.run();
  EXPECT_TRUE(r.context_dead);
  EXPECT_EQ(r.capture_reason, "replay:cudaErrorIllegalAddress");
}

TEST(FailureTable, OutOfMemoryWhileBuildingInputsOrInAnEagerCallIsASkip) {
  for (const Planned p : {Planned{"sync", "allocate", 0}, Planned{"verify", "enqueue", 0},
                          Planned{"warmup", "enqueue", 0}}) {
    Bench bench;
    bench.n = 1 << 20;  // one copy
    bench.device.faults = {{.call = p.call, .phase = p.phase, .skip = p.skip, .code = 2}};
    const Result r = bench.run();
    EXPECT_EQ(r.verdict, Verdict::skipped) << p.phase;
    EXPECT_EQ(exit_code(r.verdict), Exit::skipped);
    EXPECT_FALSE(r.has_latency());
    EXPECT_NE(r.message.find("cudaErrorMemoryAllocation"), std::string::npos) << r.message;
    expect_tidy(bench);
  }
}

TEST(FailureTable, OutOfMemoryInCaptureOrInstantiateHalvesTheRepeatOnce) {
  for (const char* call : {"end_capture", "instantiate"}) {
    Bench bench;
    bench.options.cache = CacheChoice::warm;
    bench.kernel_ms = 0.01;
    bench.device.enqueue_ms = 0;
    // One call, two calls (never instantiated), the probe, then the timed graph.
    const int before = call == std::string("end_capture") ? 3 : 2;
    bench.device.faults = {{.call = call, .skip = before, .code = 2}};
    const Result r = bench.run();
    EXPECT_EQ(r.verdict, Verdict::ok) << call << r.message;
    EXPECT_EQ(r.method, Method::graph) << r.capture_reason;
    EXPECT_EQ(r.n_repeat, 100);
    ASSERT_EQ(r.notes.size(), 1u);
    EXPECT_NE(r.notes[0].find("halved to 100"), std::string::npos);
    expect_tidy(bench);
  }
}

TEST(FailureTable, AHalvedRepeatStaysAWholeNumberOfRotations) {
  Bench bench;
  bench.n = 1 << 14;  // 32 copies
  bench.kernel_ms = 0.021;
  // One call, two calls, the probe, then the timed graph of 96 calls.
  bench.device.faults = {{.call = "instantiate", .skip = 2, .code = 2}};
  const Result r = bench.run();
  ASSERT_EQ(r.method, Method::graph) << r.capture_reason;
  EXPECT_EQ(r.copies, 32);
  EXPECT_EQ(r.n_repeat, 32);  // half of 96 is 48
}

TEST(FailureTable, ACaptureThatBreaksIsEnded) {
  Bench bench;
  bench.device.faults = {{.call = "enqueue", .phase = "capture", .code = 999}};
  ASSERT_EQ(bench.run().capture_reason, "capture:cudaErrorUnknown");
  EXPECT_EQ(bench.count("capture", "begin_capture"), 1);
  EXPECT_EQ(bench.count("capture", "end_capture"), 1);
}

TEST(FailureTable, OutOfMemoryTwiceIsRecoverable) {
  Bench bench;
  bench.options.cache = CacheChoice::warm;
  bench.device.faults = {{.call = "instantiate", .skip = 2, .times = 2, .code = 2}};
  const Result r = bench.run();
  EXPECT_EQ(r.verdict, Verdict::ok) << r.message;
  EXPECT_EQ(r.capture_reason, "instantiate:cudaErrorMemoryAllocation");
}

TEST(FailureTable, WorkOnTheDefaultStreamIsNothingCaptured) {
  Bench bench;
  bench.define = [&](Case& c) {
    const auto y = c.out<float>({bench.n});
    c.impl(
        "own",
        [&](Stream, float* out) {
          fake::launch(bench.device.default_stream(), 0.5,
                       [&, out] { std::fill_n(out, bench.n, 1.0f); });
        },
        y);
  };
  const Result r = bench.run();
  EXPECT_EQ(r.verdict, Verdict::ok) << r.message;
  EXPECT_EQ(r.method, Method::direct);
  EXPECT_EQ(r.capture_reason, "capture:NothingCaptured");
  ASSERT_EQ(bench.progress.markers.size(), 1u);
  EXPECT_EQ(bench.progress.markers[0].second.reason, "NothingCaptured");
  EXPECT_NEAR(r.metrics.at("latency_us"), 500, 5);
}

TEST(FailureTable, WorkOnAPrivateBlockingStreamIsSeenByTheDefaultStream) {
  Bench bench;
  auto& hidden = bench.device.private_stream(true);
  bench.define = [&](Case& c) {
    const auto y = c.out<float>({bench.n});
    c.impl(
        "own",
        [&](Stream, float* out) {
          bench.device.launch(hidden, 0.5, [&, out] { std::fill_n(out, bench.n, 1.0f); });
        },
        y);
  };
  const Result r = bench.run();
  EXPECT_EQ(r.verdict, Verdict::ok) << r.message;
  EXPECT_NEAR(r.metrics.at("latency_us"), 500, 5);
}

TEST(FailureTable, WorkOnAPrivateNonBlockingStreamIsUntimeable) {
  Bench bench;
  auto& hidden = bench.device.private_stream(false);
  bench.define = [&](Case& c) {
    const auto y = c.out<float>({bench.n});
    c.impl(
        "own",
        [&](Stream, float* out) {
          bench.device.launch(hidden, 0.5, [&, out] { std::fill_n(out, bench.n, 1.0f); });
        },
        y);
  };
  const Result r = bench.run();
  EXPECT_EQ(r.verdict, Verdict::untimeable) << r.message;
  EXPECT_EQ(exit_code(r.verdict), Exit::untimeable);
  EXPECT_FALSE(r.has_latency());
  EXPECT_EQ(bench.progress.markers.size(), 1u);
}

TEST(FailureTable, AReplayThatDoesSomethingElseIsAReplayMismatch) {
  Bench bench;
  bench.define = [&](Case& c) {
    const auto y = c.out<float>({bench.n});
    c.impl(
        "own",
        [&](Stream s, float* out) {
          const float value = fake::stream_of(s).capture ? 2.0f : 1.0f;
          fake::launch(s, 0.05, [&, out, value] { std::fill_n(out, bench.n, value); });
        },
        y);
  };
  const Result r = bench.run();
  EXPECT_EQ(r.verdict, Verdict::ok);
  EXPECT_EQ(r.capture_reason, "replay:ReplayMismatch");
  EXPECT_EQ(r.method, Method::direct);
}

TEST(FailureTable, AReplayThatLeavesOutputUnwrittenIsAReplayMismatch) {
  Bench bench;
  bench.define = [&](Case& c) {
    const auto y = c.out<float>({bench.n});
    c.impl(
        "own",
        [&](Stream s, float* out) {
          const bool captured = fake::stream_of(s).capture != nullptr;
          fake::launch(s, 0.05, [&, out, captured] {
            std::fill_n(out, bench.n - (captured ? 1 : 0), 1.0f);
          });
        },
        y);
  };
  EXPECT_EQ(bench.run().capture_reason, "replay:ReplayMismatch");
  // By the replay of a single call, whose outputs are poisoned anew, not by the later series.
  EXPECT_EQ(bench.progress.markers[0].second.detail.find("after the timed replays"),
            std::string::npos);
}

TEST(FailureTable, WhatACaptureLeavesOutIsNotMadeUpForByTheWorkSpace) {
  // As a synchronous copy of metadata: it runs while the graph is captured, and is not in it.
  Bench bench;
  bench.define = [&](Case& c) {
    const auto y = c.out<float>({bench.n});
    const auto scratch = c.scratch(4);
    c.impl(
        "own",
        [&](Stream s, float* out, unsigned char* factor) {
          bench.device.launch(fake::stream_of(bench.device.default_stream()), 0.01,
                              [factor] { *factor = 3; });
          fake::launch(s, 0.05, [&, out, factor] { std::fill_n(out, bench.n, float(*factor)); });
        },
        y, scratch);
  };
  EXPECT_EQ(bench.run().capture_reason, "replay:ReplayMismatch");
}

TEST(FailureTable, AWrongLastReplayIsAReplayMismatch) {
  Bench bench;
  int runs = 0;
  bench.define = [&](Case& c) {
    const auto y = c.out<float>({bench.n});
    c.impl(
        "own",
        [&](Stream s, float* out) {
          const bool captured = fake::stream_of(s).capture != nullptr;
          fake::launch(s, 0.5, [&, out, captured] {
            std::fill_n(out, bench.n, captured && ++runs > 40 ? 2.0f : 1.0f);
          });
        },
        y);
  };
  const Result r = bench.run();
  EXPECT_EQ(r.capture_reason, "replay:ReplayMismatch");
  EXPECT_NE(bench.progress.markers[0].second.detail.find("after the timed replays"),
            std::string::npos);
}

TEST(FailureTable, AnAllocationOrASynchronizeInsideACaptureIsRecoverable) {
  for (const bool allocate : {true, false}) {
    Bench bench;
    bench.define = [&](Case& c) {
      const auto y = c.out<float>({bench.n});
      c.impl(
          "own",
          [&](Stream s, float* out) {
            if (allocate) {
              bench.device.allocate_in_call();
            } else {
              bench.device.synchronize_in_call(fake::stream_of(s));
            }
            fake::launch(s, 0.05, [&, out] { std::fill_n(out, bench.n, 1.0f); });
          },
          y);
    };
    const Result r = bench.run();
    EXPECT_EQ(r.verdict, Verdict::ok);
    EXPECT_EQ(r.capture_reason, "capture:cudaErrorStreamCaptureUnsupported");
    EXPECT_EQ(bench.device.open_captures(), 0);
  }
}

TEST(FailureTable, AViolationThatTheOpIgnoresShowsWhenTheCaptureEnds) {
  Bench bench;
  bench.define = [&](Case& c) {
    const auto y = c.out<float>({bench.n});
    c.impl(
        "own",
        [&](Stream s, float* out) {
          try {
            bench.device.allocate_in_call();
          } catch (const Error&) {
          }
          fake::launch(s, 0.05, [&, out] { std::fill_n(out, bench.n, 1.0f); });
        },
        y);
  };
  EXPECT_EQ(bench.run().capture_reason, "capture:cudaErrorStreamCaptureInvalidated");
}

TEST(FailureTable, AnExceptionOfTheOpIsKernelFailedEagerlyAndRecoverableInACapture) {
  for (const bool always : {true, false}) {
    Bench bench;
    bench.define = [&](Case& c) {
      const auto y = c.out<float>({bench.n});
      c.impl(
          "own",
          [&](Stream s, float* out) {
            if (always || fake::stream_of(s).capture) throw std::runtime_error("no plan found");
            fake::launch(s, 0.05, [&, out] { std::fill_n(out, bench.n, 1.0f); });
          },
          y);
    };
    const Result r = bench.run();
    EXPECT_EQ(r.verdict, always ? Verdict::kernel_failed : Verdict::ok);
    ASSERT_TRUE(r.failure);
    EXPECT_NE(r.failure->detail.find("no plan found"), std::string::npos);
  }
}

TEST(Gate, ABackendWithoutCaptureSaysSoOnceAndIsTimedDirectly) {
  Bench bench;
  bench.device.supports_capture = false;
  const Result r = bench.run();
  EXPECT_EQ(r.verdict, Verdict::ok);
  EXPECT_EQ(r.capture, Capture::unsupported);
  EXPECT_EQ(r.method, Method::direct);
  EXPECT_EQ(bench.progress.notices.size(), 1u);
  EXPECT_EQ(bench.device.calls["begin_capture"], 0);
}

TEST(Gate, AQuestionThatFailsCountsAsUnsupportedWithItsReason) {
  Bench bench;
  bench.device.faults = {{.call = "supports_graph_capture", .code = 999}};
  const Result r = bench.run();
  EXPECT_EQ(r.verdict, Verdict::ok);
  EXPECT_EQ(r.capture, Capture::unsupported);
  EXPECT_NE(r.capture_reason.find("cudaErrorUnknown"), std::string::npos);
  ASSERT_EQ(bench.progress.notices.size(), 1u);
  EXPECT_NE(bench.progress.notices[0].find("cudaErrorUnknown"), std::string::npos);
}

TEST(Gate, CaptureTurnedOffIsDirect) {
  Bench bench;
  bench.options.capture_enabled = false;
  const Result r = bench.run();
  EXPECT_EQ(r.capture, Capture::off);
  EXPECT_EQ(r.method, Method::direct);
  EXPECT_EQ(bench.device.calls["begin_capture"], 0);
  EXPECT_TRUE(bench.progress.markers.empty());
}

TEST(Gate, MethodGraphWithoutACaptureEndsBeforeAnyWork) {
  Bench bench;
  bench.options.method = MethodChoice::graph;
  bench.options.capture_enabled = false;
  const Result r = bench.run();
  EXPECT_EQ(r.verdict, Verdict::no_graph);
  EXPECT_EQ(bench.calls, 0);
}

TEST(DenyList, MakesNoAttemptAndPrintsItsMarker) {
  Bench bench;
  bench.options.deny_capture = true;
  const Result r = bench.run();
  EXPECT_EQ(r.verdict, Verdict::ok);
  EXPECT_EQ(r.capture, Capture::denied);
  EXPECT_EQ(r.method, Method::direct);
  EXPECT_EQ(bench.device.calls["begin_capture"], 0);
  ASSERT_EQ(bench.progress.markers.size(), 1u);
  const auto& [marker, failure] = bench.progress.markers[0];
  EXPECT_EQ(marker, "BENCHMARK_DIRECT_NO_CUDAGRAPH");
  EXPECT_EQ(failure.phase, Phase::denylist);
  EXPECT_EQ(failure.reason, "KnownPoisoningOp");
  EXPECT_EQ(failure.detail, "fake denies capture for this op");
}

TEST(Usage, AnUnknownImplementationNamesThoseThatThereAre) {
  Bench bench;
  const Result r = bench.run("cublaslt");
  EXPECT_EQ(r.verdict, Verdict::usage);
  EXPECT_EQ(exit_code(r.verdict), Exit::usage);
  EXPECT_NE(r.message.find("'cublaslt'"), std::string::npos);
  EXPECT_NE(r.message.find("own"), std::string::npos);
}

}  // namespace
}  // namespace zl::test
