// Calls that return their result in memory of their own.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "tests/measure/bench.hpp"

namespace zl::test {
namespace {

/// y = 2 x, in memory that each call allocates and its copy's next call gives back.
struct Allocating : Bench {
  explicit Allocating(std::int64_t elements = 1 << 12) {
    n = elements;
    kernel_ms = 0.5;
    define = [this](Case& c) {
      const auto x = c.in<float>({n}, normal());
      const auto y = c.out<float>({n});
      c.run("own", [this, x, y](const Launch& launch) {
        float* const result = allocate(launch.copy());
        const float* const in = launch.ptr(x);
        fake::launch(launch.stream(), kernel_ms, [this, result, in] {
          ++executed;
          for (std::int64_t i = 0; write(executed) && i < n; ++i) result[i] = 2 * in[i];
        });
        launch.result_at(y, result);
      });
      c.expect(y, twice_rows, same_rows(x));
    };
  }
  virtual float* allocate(std::size_t copy) {
    results[copy].assign(static_cast<std::size_t>(n), 0);
    return results[copy].data();
  }

  std::function<bool(int)> write = [](int) { return true; };
  int executed = 0;
  std::map<std::size_t, std::vector<float>> results;  ///< by copy
};

TEST(AllocatedResult, IsReadWhereTheCallLeftIt) {
  Allocating bench;
  const Result r = bench.run();
  EXPECT_EQ(r.verdict, Verdict::ok) << r.message;
  EXPECT_EQ(r.capture, Capture::clean) << r.capture_reason;
  EXPECT_EQ(r.verified, "all rows");
}

TEST(AllocatedResult, RotatesWithTheCopies) {
  Allocating bench;
  const Result r = bench.run();
  EXPECT_EQ(r.cold_by, "rotation");
  EXPECT_EQ(r.copies, 128);
  EXPECT_EQ(bench.results.size(), 128u);
}

TEST(AllocatedResult, ThatIsWrongIsAWrongResult) {
  Allocating bench;
  bench.write = [](int) { return false; };
  const Result r = bench.run();
  EXPECT_EQ(r.verdict, Verdict::wrong_result);
  EXPECT_NE(r.message.find("got 0"), std::string::npos) << r.message;
}

TEST(AllocatedResult, IsPoisonedBeforeAReplay) {
  Allocating bench;
  bench.write = [](int executed) { return executed <= 2; };  // the two that are verified
  const Result r = bench.run();
  EXPECT_EQ(r.capture, Capture::fallback);
  ASSERT_TRUE(r.failure);
  EXPECT_EQ(r.failure->reason, "ReplayMismatch");
  EXPECT_NE(r.failure->detail.find("were never written"), std::string::npos) << r.failure->detail;
}

TEST(AllocatedResult, IsPoisonedBeforeTheTimedReplays) {
  Allocating bench;
  bench.write = [&](int) {
    const std::vector<Phase>& phases = bench.progress.phases;
    return std::count(phases.begin(), phases.end(), Phase::instantiate) <
           2;  // one call, then these
  };
  const Result r = bench.run();
  ASSERT_TRUE(r.failure);
  EXPECT_EQ(r.failure->reason, "ReplayMismatch");
  EXPECT_NE(r.failure->detail.find("after the timed replays"), std::string::npos)
      << r.failure->detail;
}

struct Cached : Allocating {
  float* allocate(std::size_t) override { return Allocating::allocate(0); }
};

TEST(AllocatedResult, InOnePieceOfMemoryIsNotCold) {
  Cached bench;
  const Result r = bench.run();
  ASSERT_EQ(r.verdict, Verdict::ok) << r.message;
  EXPECT_EQ(r.capture, Capture::clean);
  EXPECT_EQ(r.cache, Cache::warm);
  EXPECT_EQ(r.cold_by, "");
  EXPECT_EQ(r.cache_note, "calls with different copies return the same memory as output 1");
}

TEST(AllocatedResult, InOnePieceOfMemoryIsNotColdWhenTimedDirectlyEither) {
  Cached bench;
  bench.options.method = MethodChoice::direct;
  const Result r = bench.run();
  ASSERT_EQ(r.verdict, Verdict::ok) << r.message;
  EXPECT_EQ(r.cache, Cache::warm);
  EXPECT_EQ(r.cache_note, "calls with different copies return the same memory as output 1");
}

TEST(AllocatedResult, CannotBeReportedByAReset) {
  Bench bench;
  bench.define = [&](Case& c) {
    bench.define_twice(c);
    const Operand<float> y(&c, 1);
    c.reset([y](const Launch& launch) { launch.result_at(y, static_cast<float*>(nullptr)); });
  };
  const Result r = bench.run();
  EXPECT_EQ(r.verdict, Verdict::usage);
  EXPECT_NE(r.message.find("result_at() is for an implementation's call"), std::string::npos);
}

}  // namespace
}  // namespace zl::test
