#pragma once

#include <gtest/gtest.h>

#include "device/musa/musa_api.hpp"
#include "measure/measure.hpp"
#include "musa_standin.hpp"
#include "zl/bench.hpp"

namespace zl::test {

using musa_standin::Fault;
using musa_standin::State;
using musa_standin::state;

struct Told : Progress {
  void phase(Phase phase) override { state().phase = name(phase); }
  void alive() override {}
  void marker(std::string_view, const Failure& failure) override { markers.push_back(failure); }
  void notice(const std::string& line) override { notices.push_back(line); }
  void graph(const std::string& dot) override { graphs.push_back(dot); }
  void complete(const Result&) override {}
  std::vector<Failure> markers;
  std::vector<std::string> notices;
  std::vector<std::string> graphs;
};

class Musa : public testing::Test {
 protected:
  static constexpr std::int64_t n = 64;
  Options options;
  Told told;

  Musa() {
    musa_standin::reset();
    state().warp_size = MUSART_VERSION >= 50100 ? 32 : 128;
    options.cache = CacheChoice::warm;
    options.warmup_ms = 1;
  }
  ~Musa() override { musa_standin::reset(); }

  /// y = 2 x in a kernel of 20 us, behind what `before` does in the call.
  Result run(const std::function<void(Stream)>& before = {}) {
    return measured([&](Case& c) {
      const auto x = c.in<float>({n}, normal());
      const auto y = c.out<float>({n});
      c.impl(
          "own",
          [&](Stream stream, float* out, const float* in) {
            if (before) before(stream);
            twice(stream, out, in);
          },
          y, x);
      c.expect(
          y,
          [](Rows rows, double* out, const float* in) {
            for (std::int64_t i = rows.first; i < rows.last; ++i) *out++ = 2.0 * double{in[i]};
          },
          same_rows(x));
    });
  }
  static void twice(Stream stream, float* out, const float* in) {
    musa_standin::launch(
        stream,
        [=] {
          for (std::int64_t i = 0; i < n; ++i) out[i] = 2 * in[i];
        },
        20);
  }
  Result measured(const std::function<void(Case&)>& define) {
    const auto device = backend().open(backend().devices().front());
    const Op op{"twice", {"n"}, {{"f32", define}}};
    return measure(*device, op, {"twice", "own", "f32", "64", "musa"}, options, told);
  }

  /// A pause of a busy machine in the probe looks like a long call, of which a graph holds few;
  /// one in a replay like resets as long as the calls. Measures again until `fits`, a few times.
  static Result undisturbed(const std::function<Result()>& measure,
                            const std::function<bool(const Result&)>& fits) {
    Result r = measure();
    for (int again = 0; again < 10 && !fits(r); ++again) r = measure();
    return r;
  }

  static void expect_nothing_left() {
    EXPECT_EQ(state().live_streams, 0);
    EXPECT_EQ(state().live_events, 0);
    EXPECT_EQ(state().live_graphs, 0);
    EXPECT_EQ(state().live_execs, 0);
    EXPECT_EQ(state().live_blocks, 0);
  }
  void expect_fallback(const Result& r, const std::string& reason) {
    EXPECT_EQ(r.verdict, Verdict::ok) << r.message;
    EXPECT_EQ(r.method, Method::direct);
    EXPECT_EQ(r.capture, Capture::fallback);
    EXPECT_EQ(r.capture_reason, reason);
    ASSERT_EQ(told.markers.size(), 1u);
    EXPECT_EQ(std::string(name(told.markers[0].phase)) + ":" + told.markers[0].reason, reason);
    expect_nothing_left();
  }
};

}  // namespace zl::test
