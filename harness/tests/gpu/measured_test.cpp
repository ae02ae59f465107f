// Whole measurements of calls whose right time is known from another one.
#include <cmath>
#include <functional>
#include <string>

#include "measure/measure.hpp"
#include "open_device.hpp"
#include "structures.hpp"
#include "zl/bench.hpp"

namespace zl {
namespace {

struct Silent : Progress {
  void phase(Phase) override {}
  void alive() override {}
  void marker(std::string_view marker, const Failure& failure) override {
    ADD_FAILURE() << marker << " " << failure.reason << ": " << failure.detail;
  }
  void notice(const std::string&) override {}
  void complete(const Result&) override {}
};

class Measured : public testing::Test {
 protected:
  std::unique_ptr<Device> device = backend().open(backend().devices().front());

  Result run(const std::function<void(Case&)>& define, const Options& options) {
    const Op op{"measured", {"n"}, {{"f32", define}}};
    Silent silent;
    Result r = measure(*device, op, {"measured", "own", "f32", "1", "cuda"}, options, silent);
    EXPECT_EQ(r.verdict, Verdict::ok) << r.message;
    EXPECT_EQ(r.capture, Capture::clean) << r.capture_reason;
    return r;
  }
  Result warm(const std::function<void(Case&)>& define) {
    Options options;
    options.cache = CacheChoice::warm;
    return run(define, options);
  }
  /// The same case with the rotation and with twice as long a one.
  void expect_cold_is_cold(const std::function<void(Case&)>& define) {
    Options options;
    const Result once = run(define, options);
    options.cold_factor *= 2;
    const Result twice = run(define, options);
    ASSERT_EQ(once.cold_by, "rotation") << once.cache_note;
    ASSERT_EQ(twice.cold_by, "rotation") << twice.cache_note;
    EXPECT_EQ(twice.copies, 2 * once.copies);
    EXPECT_NEAR(us(twice) / us(once), 1, 0.015) << us(once) << " us, " << us(twice) << " us";
    EXPECT_GT(us(once), us(warm(define)));
  }
  static double us(const Result& r) {
    const auto found = r.metrics.find("latency_us");
    return found == r.metrics.end() ? std::nan("") : found->second;
  }
  static bool notes(const Result& r, const std::string& text) {
    for (const std::string& note : r.notes) {
      if (note.find(text) != std::string::npos) return true;
    }
    return false;
  }
};

std::function<void(Case&)> spin(void (*launch)(Stream, float*, std::int64_t), int outputs = 1) {
  return [=](Case& c) { c.impl("own", launch, c.out<f32>({outputs}), std::int64_t{50'000}); };
}

std::function<void(Case&)> copies_of(std::int64_t n) {
  return [n](Case& c) {
    const auto x = c.in<f32>({n}, normal());
    const auto y = c.out<f32>({n});
    c.impl("own", launch_gather, y, x, std::int64_t{0}, n);
  };
}

TEST_F(Measured, ACallDoesNotOverlapItself) {
  const Result plain = warm(spin(launch_spin));
  const Result programmatic = warm(spin(launch_programmatic_spin));
  EXPECT_TRUE(notes(programmatic, "programmatic"));
  EXPECT_FALSE(notes(plain, "programmatic"));
  EXPECT_GE(us(programmatic), 50);
  EXPECT_LT(us(programmatic), us(plain) + 2);
  EXPECT_EQ(programmatic.nodes_per_call, 1);
}

TEST_F(Measured, ForAProfilerACallIsMadeAndNothingTimed) {
  const Op op{"measured", {"n"}, {{"f32", spin(launch_spin)}}};
  Options options;
  options.profile = true;
  Silent silent;
  const Result r = measure(*device, op, {"measured", "own", "f32", "1", "cuda"}, options, silent);
  EXPECT_EQ(r.verdict, Verdict::ok) << r.message;
  EXPECT_NE(r.message.find("profiled: one call"), std::string::npos) << r.message;
  EXPECT_TRUE(r.metrics.empty());
}

TEST_F(Measured, StreamsThatForkAndJoinAreTimedByTheirSpan) {
  const Result r = warm(spin(launch_fork_and_join, 2));
  EXPECT_EQ(r.nodes_per_call, 2);
  EXPECT_GE(us(r), 50);
  EXPECT_LT(us(r), 60);
}

TEST_F(Measured, AllocationsOfACallAreReported) {
  const Result r = warm([](Case& c) { c.impl("own", launch_with_allocation, c.out<f32>({1})); });
  EXPECT_TRUE(notes(r, "a call allocates 1 times"));
  EXPECT_EQ(r.nodes_per_call, 1);
}

TEST_F(Measured, AKernelThatKeepsLinesInL2IsNotCold) {
  const Result r = run(
      [](Case& c) {
        c.in<f32>({1 << 18}, normal());  // only there to be rotated
        c.impl("own", launch_persisting, c.out<f32>({1}), c.scratch(65536), std::int64_t{65536});
      },
      {});
  EXPECT_EQ(r.cache, Cache::warm);
  EXPECT_NE(r.cache_note.find("asks L2 to keep"), std::string::npos) << r.cache_note;
}

TEST_F(Measured, RotationIsColdForATinyOp) { expect_cold_is_cold(copies_of(64 * 64)); }

TEST_F(Measured, RotationIsColdForAMegabyte) { expect_cold_is_cold(copies_of(1 << 18)); }

TEST_F(Measured, RotationIsColdWithResets) {
  expect_cold_is_cold([](Case& c) {
    const std::int64_t n = 1 << 20;
    const auto x = c.in<f32>({n}, normal());
    const auto y = c.inout<f32>({n}, constant(0));
    c.reset(y);
    c.impl("own", launch_accumulate, y, x, n);
  });
}

TEST_F(Measured, AGatherOfFewRowsIsMadeColdByEviction) {
  const std::int64_t n = 4096;
  const auto gather = [n](Case& c) {
    const auto table = c.in<f32>({1 << 20, n}, uniform());  // 16 GiB: no room for copies
    const auto y = c.out<f32>({n});
    c.bytes(8.0 * static_cast<double>(n));
    c.impl("own", launch_gather, y, table, std::int64_t{12345}, n);
  };
  const Result cold = run(gather, {});
  EXPECT_EQ(cold.cold_by, "evict") << cold.cache_note;
  EXPECT_EQ(cold.cache, Cache::cold);
  const Result warmed = warm(gather);
  EXPECT_GT(us(cold), us(warmed));
  // What rotation says of a copy of as many bytes.
  const Result rotated = run(copies_of(n), {});
  EXPECT_EQ(rotated.cold_by, "rotation");
  EXPECT_NEAR(us(cold), us(rotated), 0.5);
}

#if ZL_TEST_CUPTI  // built with it: then it has to work
TEST_F(Measured, TheProfilerAgreesOnTheReplaysItSaw) {
  Options options;
  options.cache = CacheChoice::warm;
  options.cross_check = true;
  const Result r = run(spin(launch_spin), options);
  ASSERT_TRUE(r.cross_check) << r.message;
  const CrossCheck& c = *r.cross_check;
  EXPECT_NEAR(c.span_us + c.gap_us, c.replay_us, std::max(0.1, 0.02 * c.replay_us));
  EXPECT_NEAR(c.busy_us, c.span_us, 1e-6);
  EXPECT_GE(c.span_us, 50);
}
#endif

}  // namespace
}  // namespace zl
