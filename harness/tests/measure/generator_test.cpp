#include "device/generator.hpp"

#include <gtest/gtest.h>

#include <set>

#include "tests/measure/bench.hpp"

namespace zl::test {
namespace {

/// y is drawn; the mask of which draws were used is what the reference recomputes.
void define_drawing(Bench& bench, Case& c) {
  const auto y = c.out<float>({bench.n});
  const Random r = c.random((bench.n + 3) / 4);
  c.impl(
      "own",
      [&](Stream s, float* out, Philox call) {
        fake::launch(s, 0.05, [&, out, call] {
          for (std::int64_t i = 0; i < bench.n; ++i) {
            out[i] = to_uniform(draw(call, static_cast<std::uint64_t>(i / 4)).word[i % 4]);
          }
        });
      },
      y, r);
  c.expect(
      y,
      [](Rows rows, double* out, Philox call) {
        for (std::int64_t i = rows.first; i < rows.last; ++i) {
          *out++ = to_uniform(draw(call, static_cast<std::uint64_t>(i / 4)).word[i % 4]);
        }
      },
      r);
}

TEST(Generator, ReservesDisjointBlocks) {
  Generator g("g", 7);
  EXPECT_EQ(g.reserve(10, false).offset, 0u);
  const Philox second = g.reserve(5, false);
  EXPECT_EQ(second.offset, 10u);
  EXPECT_EQ(second.seed, 7u);
  EXPECT_EQ(g.state().offset, 15u);
}

TEST(Generator, ADrawOutsideACaptureWhileMarkedAsCapturingNamesIt) {
  Generator g("cuda:3", 7);
  const ScratchGeneratorState scratch(&g);
  EXPECT_EQ(g.reserve(1, true).offset, 0u);
  try {
    g.reserve(1, false);
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("cuda:3"), std::string::npos);
  }
}

TEST(Generator, TheOriginalStateObjectComesBack) {
  Generator g("g", 7);
  g.reserve(3, false);
  const GeneratorState* before = &g.state();
  {
    const ScratchGeneratorState scratch(&g);
    EXPECT_NE(&g.state(), before);
    EXPECT_TRUE(g.state().capturing);
    EXPECT_EQ(g.state().seed, 7u);
    EXPECT_EQ(g.state().offset, 0u);
    g.reserve(100, true);
  }
  EXPECT_EQ(&g.state(), before);
  EXPECT_EQ(g.state().offset, 3u);
  EXPECT_FALSE(g.state().capturing);
}

TEST(Generator, DrawingOpsAreVerifiedAgainstTheirOwnDrawsEagerlyAndReplayed) {
  Bench bench;
  bench.define = [&](Case& c) { define_drawing(bench, c); };
  const Result r = bench.run();
  EXPECT_EQ(r.verdict, Verdict::ok) << r.message;
  EXPECT_EQ(r.capture, Capture::clean) << r.capture_reason;
  EXPECT_EQ(r.verified, "all rows");
}

TEST(Generator, EveryCapturedCallDrawsItsOwnNumbers) {
  Bench bench;
  bench.options.cache = CacheChoice::warm;
  std::set<std::uint64_t> offsets;
  int captured = 0;
  bench.define = [&](Case& c) {
    const auto y = c.out<float>({4});
    const Random r = c.random(1);
    c.impl(
        "own",
        [&](Stream s, float* out, Philox call) {
          if (fake::stream_of(s).capture) {
            if (call.offset == 0) offsets.clear(), captured = 0;  // a capture begins
            offsets.insert(call.offset);
            ++captured;
          }
          fake::launch(s, 0.05, [out] { std::fill_n(out, 4, 1.0f); });
        },
        y, r);
  };
  ASSERT_EQ(bench.run().verdict, Verdict::ok);
  EXPECT_EQ(captured, 40);
  EXPECT_EQ(offsets.size(), 40u);
}

TEST(Generator, ACaptureLeavesItsStateAsItWas) {
  for (const char* fault : {"", "begin_capture", "end_capture", "enqueue"}) {
    Bench bench;
    bench.define = [&](Case& c) { define_drawing(bench, c); };
    if (*fault != 0) bench.device.faults = {{.call = fault, .phase = "capture", .code = 901}};
    const GeneratorState* object = &bench.device.generator()->state();
    std::uint64_t before = 0;
    // The last eager call before the capture is the warm-up's.
    struct Watch : Recorder {
      Bench* bench = nullptr;
      std::uint64_t* before = nullptr;
      std::uint64_t after = 0;
      void phase(Phase phase) override {
        if (phase == Phase::capture) *before = bench->device.generator()->state().offset;
        if (phase == Phase::direct) after = bench->device.generator()->state().offset;
      }
    } watch;
    watch.bench = &bench;
    watch.before = &before;
    const Op op{"twice", {"n"}, {{"f32", [&](Case& c) { bench.define(c); }}}};
    const Result r =
        measure(bench.device, op, {"twice", "own", "f32", "64", "fake"}, bench.options, watch);
    ASSERT_EQ(r.verdict, Verdict::ok) << fault << r.message;
    EXPECT_GT(before, 0u);
    EXPECT_EQ(&bench.device.generator()->state(), object) << fault;
    EXPECT_FALSE(bench.device.generator()->state().capturing) << fault;
    const std::uint64_t after =
        *fault == 0 ? bench.device.generator()->state().offset : watch.after;
    EXPECT_EQ(after, before) << fault;
  }
}

TEST(Generator, AnOpThatThrowsWhileCapturedLeavesTheStateAsItWas) {
  Bench bench;
  bench.define = [&](Case& c) {
    const auto y = c.out<float>({4});
    const Random r = c.random(1);
    c.impl(
        "own",
        [&](Stream s, float* out, Philox) {
          if (fake::stream_of(s).capture) throw std::runtime_error("not while capturing");
          fake::launch(s, 0.05, [out] { std::fill_n(out, 4, 1.0f); });
        },
        y, r);
  };
  const GeneratorState* object = &bench.device.generator()->state();
  const Result r = bench.run();
  EXPECT_EQ(r.verdict, Verdict::ok) << r.message;
  EXPECT_EQ(r.capture, Capture::fallback);
  EXPECT_EQ(&bench.device.generator()->state(), object);
  EXPECT_FALSE(object->capturing);
}

TEST(Generator, ABackendWithoutOneRefusesOpsThatDraw) {
  Bench bench;
  bench.device.with_generator = false;
  bench.define = [&](Case& c) { define_drawing(bench, c); };
  EXPECT_EQ(bench.run().verdict, Verdict::usage);
  Bench other;
  other.device.with_generator = false;
  EXPECT_EQ(other.run().verdict, Verdict::ok);
}

}  // namespace
}  // namespace zl::test
