// The MUSA backend over the stand-in for its runtime: the failure table, and what MUSA does
// differently from CUDA. Built for both signatures of musaGraphInstantiate.
#include "musa_case.hpp"

namespace zl::test {
namespace {

TEST_F(Musa, ACallIsCapturedAndReplayed) {
  const Result r = run();
  EXPECT_EQ(r.verdict, Verdict::ok) << r.message;
  EXPECT_EQ(r.method, Method::graph);
  EXPECT_EQ(r.capture, Capture::clean) << r.capture_reason;
  EXPECT_EQ(r.device_name, "MUSA stand-in");
  EXPECT_EQ(r.nodes_per_call, 1);
  EXPECT_GE(r.metrics.at("latency_us"), 20);
  EXPECT_TRUE(told.markers.empty());
  EXPECT_EQ(state().most_live_execs, 1);
  expect_nothing_left();
}

TEST_F(Musa, AProfilerSeesOneCall) {
  options.profile = true;
  int profiled = 0;
  const Result r = run([&](Stream) { profiled += state().profiling ? 1 : 0; });
  EXPECT_EQ(r.verdict, Verdict::ok) << r.message;
  EXPECT_EQ(profiled, 1);
  EXPECT_FALSE(state().profiling);
  EXPECT_TRUE(r.metrics.empty());
  expect_nothing_left();
}

TEST_F(Musa, AProfilerThatTheSdkOnlyDeclaresIsAUsageError) {
  options.profile = true;
  state().faults = {{.call = "musaProfilerStart", .code = musaErrorNotSupported}};
  const Result r = run();
  EXPECT_EQ(r.verdict, Verdict::usage);
  EXPECT_NE(r.message.find("musaProfilerStart"), std::string::npos) << r.message;
  EXPECT_EQ(state().last_error, 0);
  expect_nothing_left();
}

TEST_F(Musa, TheTimedGraphIsPrintedWhereTheSdkCan) {
  options.dump_graph = "graph.dot";
  const Result r = run();
  EXPECT_EQ(r.verdict, Verdict::ok) << r.message;
  EXPECT_EQ(r.capture, Capture::clean);
  if (MUSART_VERSION >= 50100) {
    ASSERT_FALSE(told.graphs.empty());
    const std::string calls = std::to_string(r.n_repeat);
    EXPECT_EQ(told.graphs.back(),
              "// zl-bench: the graph of " + calls + " calls\ndigraph of " + calls + " nodes");
  } else {
    EXPECT_TRUE(told.graphs.empty());
    ASSERT_FALSE(told.notices.empty());
    EXPECT_NE(told.notices[0].find("could not be printed: musaGraphDebugDotPrint: "),
              std::string::npos)
        << told.notices[0];
  }
  expect_nothing_left();
}

TEST_F(Musa, AGraphHasAtMostAThousandNodes) {
  const auto run = [this] {
    return measured([](Case& c) {
      c.impl(
          "own", [](Stream s, float* out) { musa_standin::launch(s, [=] { *out = 1; }); },
          c.out<float>({1}));
    });
  };
  const Result r = undisturbed(run, [](const Result& r) { return r.n_repeat >= 1000; });
  EXPECT_EQ(r.n_repeat, 1000);
}

TEST_F(Musa, ItsPropertiesAreAsked) {
  gpu::Properties properties;
  ASSERT_EQ(MusaApi::properties(&properties, 0), 0);
  EXPECT_EQ(properties.warp_size, MUSART_VERSION >= 50100 ? 32 : 128);
  EXPECT_EQ(properties.l2_bytes, std::size_t{1} << 16);
  EXPECT_EQ(backend().devices().front().uuid, "GPU-6d757361-2d73-7461-6e64-2d696e2d3030");
}

TEST_F(Musa, AnAllocationInACaptureIsRecoverable) {
  const Result r = run([](Stream) {
    void* scratch = nullptr;
    if (musaMalloc(&scratch, 64) == musaSuccess) musaFree(scratch);
  });
  expect_fallback(r, "capture:musaErrorStreamCaptureUnsupported");
}

TEST_F(Musa, ASynchronizeInACaptureIsRecoverable) {
  const Result r = run([](Stream s) { musaStreamSynchronize(s); });
  expect_fallback(r, "capture:musaErrorStreamCaptureUnsupported");
}

TEST_F(Musa, WorkOnTheDefaultStreamIsNothingCaptured) {
  const Result r = measured([](Case& c) {
    c.impl(
        "own",
        [](Stream, float* out) {
          musa_standin::launch(
              nullptr, [=] { *out = 1; }, 20);
        },
        c.out<float>({1}));
  });
  expect_fallback(r, "capture:NothingCaptured");
}

TEST_F(Musa, AReplayThatDoesSomethingElseIsAMismatch) {
  const Result r = measured([](Case& c) {
    c.impl(
        "own",
        [](Stream s, float* out) {
          const float value = musa_standin::is_captured(s) ? 2 : 1;
          musa_standin::launch(
              s, [=] { *out = value; }, 20);
        },
        c.out<float>({1}));
  });
  expect_fallback(r, "replay:ReplayMismatch");
}

struct GraphCall {
  const char* phase;
  const char* call;
};
class EachGraphCall : public Musa, public testing::WithParamInterface<GraphCall> {
 protected:
  void plan(int code, bool kills) {
    state().faults = {
        {.call = GetParam().call, .phase = GetParam().phase, .code = code, .kills = kills}};
  }
};

TEST_P(EachGraphCall, ThatFailsWithAnUnknownErrorIsJudgedByTheProbe) {
  plan(musaErrorUnknown, false);
  expect_fallback(run(), std::string(GetParam().phase) + ":musaErrorUnknown");
}

TEST_P(EachGraphCall, ThatKillsTheContextAsksForAFreshProcess) {
  plan(musaErrorUnknown, true);
  const Result r = run();
  EXPECT_TRUE(r.context_dead);
  EXPECT_FALSE(r.has_latency());
  EXPECT_EQ(r.capture_reason, std::string(GetParam().phase) + ":musaErrorUnknown");
}

TEST_P(EachGraphCall, ThatFailsWithMethodGraphLeavesNoNumber) {
  options.method = MethodChoice::graph;
  plan(musaErrorUnknown, false);
  const Result r = run();
  EXPECT_EQ(r.verdict, Verdict::no_graph);
  EXPECT_FALSE(r.has_latency());
}

INSTANTIATE_TEST_SUITE_P(Calls, EachGraphCall,
                         testing::Values(GraphCall{"capture", "musaStreamBeginCapture"},
                                         GraphCall{"capture", "musaStreamEndCapture"},
                                         GraphCall{"capture", "musaGraphGetNodes"},
                                         GraphCall{"instantiate", "musaGraphInstantiate"},
                                         GraphCall{"replay", "musaGraphLaunch"},
                                         GraphCall{"replay", "kernel"}),
                         [](const auto& p) { return std::string(p.param.call); });

TEST_F(Musa, OutOfMemoryInInstantiateHalvesTheRepeat) {
  const auto without_memory = [this] {
    // The graphs of one call and of the probe, then the timed one.
    state().faults = {{.call = "musaGraphInstantiate", .skip = 2, .code = 2}};
    return run();
  };
  const Result r =
      undisturbed(without_memory, [](const Result& r) { return r.method == Method::graph; });
  EXPECT_EQ(r.method, Method::graph) << r.capture_reason;
  ASSERT_EQ(r.notes.size(), 1u);
  EXPECT_NE(r.notes[0].find("halved"), std::string::npos);
}

TEST_F(Musa, OneGraphIsExecutableAtATimeAndASecondOneForResets) {
  state().exec_limit = 1;
  EXPECT_EQ(run().capture, Capture::clean);
  const auto with_resets = [this] {
    musa_standin::reset();
    return measured([](Case& c) {
      const auto y = c.out<float>({n});
      c.reset(y);
      c.impl(
          "own",
          [](Stream s, float* out) {
            musa_standin::launch(
                s, [=] { std::fill_n(out, n, 1.0f); }, 20);
          },
          y);
    });
  };
  // A fallback is none of a busy machine's: only a time less that of the resets that is none is.
  const Result r =
      undisturbed(with_resets, [](const Result& r) { return r.verdict != Verdict::untimeable; });
  EXPECT_EQ(r.capture, Capture::clean) << r.capture_reason << r.message;
  EXPECT_TRUE(told.markers.empty());
  EXPECT_EQ(state().most_live_execs, 2);
}

TEST_F(Musa, AFailingKernelGetsNoNumber) {
  for (const char* phase : {"verify", "warmup"}) {
    musa_standin::reset();
    state().faults = {{.call = "kernel", .phase = phase, .code = 700, .kills = true}};
    const Result r = run();
    EXPECT_EQ(r.verdict, Verdict::kernel_failed) << phase << ": " << r.message;
    EXPECT_FALSE(r.has_latency());
    EXPECT_TRUE(told.markers.empty());
  }
}

TEST_F(Musa, TooLittleMemoryIsASkip) {
  state().memory_bytes = 512;
  const Result r = measured([](Case& c) {
    c.impl(
        "own", [](Stream, float*) {}, c.out<float>({1000}));
  });
  EXPECT_EQ(r.verdict, Verdict::skipped) << r.message;
  EXPECT_NE(r.message.find("4608 bytes asked"), std::string::npos) << r.message;
}

TEST_F(Musa, AWrongResultGetsNoNumber) {
  const Result r = measured([](Case& c) {
    const auto y = c.out<float>({1});
    c.impl(
        "own", [](Stream s, float* out) { musa_standin::launch(s, [=] { *out = 2; }); }, y);
    c.expect(y, [](Rows, double* out) { *out = 1; });
  });
  EXPECT_EQ(r.verdict, Verdict::wrong_result);
  EXPECT_FALSE(r.has_latency());
}

TEST_F(Musa, DrawnNumbersAreOfAScratchStateInACapture) {
  std::vector<std::uint64_t> offsets;
  const Result r = measured([&](Case& c) {
    const auto random = c.random(4);
    const auto y = c.out<float>({1});
    c.run("own", [&offsets, random, y](const Launch& l) {
      if (!musa_standin::is_captured(l.stream())) offsets.push_back(l.draw(random).offset);
      musa_standin::launch(
          l.stream(), [p = l.ptr(y)] { *p = 1; }, 20);
    });
  });
  EXPECT_EQ(r.capture, Capture::clean) << r.capture_reason;
  for (std::size_t i = 1; i < offsets.size(); ++i) ASSERT_EQ(offsets[i], offsets[i - 1] + 4);
}

TEST_F(Musa, WhatItDoesNotHaveIsSaid) {
  options.cross_check = true;
  const Result r = run();
  EXPECT_EQ(r.verdict, Verdict::ok);
  EXPECT_NE(r.message.find("musa backend has no profiler"), std::string::npos) << r.message;
  options.cross_check = false;
  EXPECT_NE(run().clocks_start.unknown, "");
}

}  // namespace
}  // namespace zl::test
