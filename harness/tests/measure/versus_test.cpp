#include <gtest/gtest.h>

#include "tests/measure/bench.hpp"

namespace zl::test {
namespace {

/// "own" and "vendor" compute the same output; the vendor's factor may be wrong.
void define_two(Bench& bench, Case& c, double other_ms, float other_factor = 2) {
  const auto x = c.in<float>({bench.n}, normal());
  const auto y = c.out<float>({bench.n});
  c.impl(
      "own", [&](Stream s, float* out, const float* in) { bench.twice(s, out, in); }, y, x);
  c.impl(
      "vendor",
      [&bench, other_ms, other_factor](Stream s, float* out, const float* in) {
        fake::launch(s, other_ms, [&bench, out, in, other_factor] {
          for (std::int64_t i = 0; i < bench.n; ++i) out[i] = other_factor * in[i];
        });
      },
      y, x);
  c.expect(y, twice_rows, same_rows(x));
}

TEST(Versus, GivesTheRatioOfInterleavedReplays) {
  Bench bench;
  bench.kernel_ms = 0.05;
  bench.device.enqueue_ms = 0;
  bench.options.versus = "vendor";
  bench.define = [&](Case& c) { define_two(bench, c, 0.075); };
  const Result r = bench.run();
  ASSERT_EQ(r.verdict, Verdict::ok) << r.message;
  EXPECT_NEAR(r.metrics.at("speedup"), 1.5, 1e-9) << r.speedup_reason;
  EXPECT_NEAR(r.metrics.at("latency_us"), 50, 1e-6);
  ASSERT_EQ(bench.progress.completed.size(), 1u) << "the own result is safe before the comparison";
  EXPECT_TRUE(bench.progress.completed[0].has_latency());
}

TEST(Versus, AWrongOneGivesNoSpeedupButTheReason) {
  Bench bench;
  bench.options.versus = "vendor";
  bench.define = [&](Case& c) { define_two(bench, c, 0.075, 3); };
  const Result r = bench.run();
  EXPECT_EQ(r.verdict, Verdict::ok);
  EXPECT_EQ(r.metrics.count("speedup"), 0u);
  EXPECT_NE(r.speedup_reason.find("vendor is wrong"), std::string::npos) << r.speedup_reason;
}

TEST(Versus, AnOtherThatIsNotCapturedHasNoSpeedup) {
  // On the default stream the eager call is right, and its graph empty.
  for (const bool half : {false, true}) {
    Bench bench;
    bench.options.versus = "vendor";
    bench.define = [&](Case& c) {
      const auto x = c.in<float>({bench.n}, normal());
      const auto y = c.out<float>({bench.n});
      c.impl(
          "own", [&](Stream s, float* out, const float* in) { bench.twice(s, out, in); }, y, x);
      c.impl(
          "vendor",
          [&bench, half](Stream s, float* out, const float* in) {
            const auto part = [&bench, out, in](std::int64_t first, std::int64_t last) {
              return [=] {
                for (std::int64_t i = first; i < last; ++i) out[i] = 2 * in[i];
              };
            };
            const std::int64_t middle = half ? bench.n / 2 : 0;
            if (half) fake::launch(s, 0.02, part(0, middle));
            fake::launch(bench.device.default_stream(), 0.02, part(middle, bench.n));
          },
          y, x);
    };
    const Result r = bench.run();
    ASSERT_EQ(r.verdict, Verdict::ok) << r.message;
    EXPECT_EQ(r.metrics.count("speedup"), 0u);
    EXPECT_NE(r.speedup_reason.find(half ? "never written" : "captured graph is empty"),
              std::string::npos)
        << r.speedup_reason;
  }
}

TEST(Versus, CallsThatOverlapThemselvesAreKeptApartHereToo) {
  Bench bench;
  bench.options.versus = "vendor";
  bench.options.cache = CacheChoice::warm;
  bench.device.enqueue_ms = 0;
  bench.define = [&](Case& c) {
    const auto x = c.in<float>({bench.n}, normal());
    const auto y = c.out<float>({bench.n});
    c.impl(
        "own", [&](Stream s, float* out, const float* in) { bench.twice(s, out, in); }, y, x);
    c.impl(
        "vendor",
        [&bench](Stream s, float* out, const float* in) {
          bench.device.launch(
              fake::stream_of(s), 0.05,
              [&bench, out, in] {
                for (std::int64_t i = 0; i < bench.n; ++i) out[i] = 2 * in[i];
              },
              true);
        },
        y, x);
  };
  const Result r = bench.run();
  EXPECT_NEAR(r.metrics.at("speedup"), 1, 1e-9) << r.speedup_reason;  // 0.9 where they overlap
}

TEST(Versus, AFailureOfTheOtherLeavesTheOwnResultStanding) {
  Bench bench;
  bench.options.versus = "vendor";
  bench.define = [&](Case& c) {
    bench.define_twice(c);
    c.run("vendor", [](const Launch&) { throw std::runtime_error("no plan"); });
  };
  const Result r = bench.run();
  EXPECT_EQ(r.verdict, Verdict::ok);
  EXPECT_TRUE(r.has_latency());
  EXPECT_EQ(r.metrics.count("speedup"), 0u);
  EXPECT_NE(r.speedup_reason.find("no plan"), std::string::npos);
}

TEST(Versus, WithoutAGraphThereIsNoSpeedupButTheReason) {
  Bench bench;
  bench.options.versus = "vendor";
  bench.options.method = MethodChoice::direct;
  const Result r = bench.run();
  EXPECT_EQ(r.metrics.count("speedup"), 0u);
  EXPECT_NE(r.speedup_reason.find("methods differ"), std::string::npos);
}

TEST(Versus, AnImplementationIsNotComparedWithItself) {
  Bench bench;
  bench.options.versus = "own";
  const Result r = bench.run();
  EXPECT_EQ(r.metrics.count("speedup"), 0u);
  EXPECT_EQ(r.speedup_reason, "");
  EXPECT_TRUE(bench.progress.completed.empty());
}

}  // namespace
}  // namespace zl::test
