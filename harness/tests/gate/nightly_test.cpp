// Ten nights on the fake device with seeded noise, then a change: the whole way from the
// measurement to the gate's verdict.

#include "baseline_file.hpp"
#include "gate/gate.hpp"
#include "tests/measure/bench.hpp"

namespace zl::test {
namespace {

constexpr int ops = 4;
constexpr double noise = 0.01;

double kernel_ms(int op) { return 0.02 * (op + 1); }

/// Op `op`'s result in a process with this seed; `change` makes it another op or machine.
Result measured(int op, std::uint64_t seed, const std::function<void(Bench&)>& change = nullptr) {
  Bench bench;
  bench.n = 1 << 10;
  bench.kernel_ms = kernel_ms(op);
  bench.device.noise_sigma = noise;
  bench.device.seed_noise(seed);
  if (change) change(bench);
  Result r = bench.run();
  r.id.op = "op" + std::to_string(op);
  EXPECT_EQ(r.verdict, Verdict::ok) << r.message;
  return r;
}

class Nightly : public testing::Test {
 protected:
  void SetUp() override {
    for (std::uint64_t night = 0; night < 10; ++night) {
      for (int op = 0; op < ops; ++op) {
        const Result r = measured(op, ++seed_);
        file_.json["device"] = r.device_name;
        file_.json["driver"] = r.driver;
        file_.json["runtime"] = r.runtime;
        file_.add(r);
      }
    }
  }
  /// The eleventh night's verdicts, op 2 having changed.
  std::vector<Verdict> verdicts(const std::function<void(Bench&)>& change) {
    std::vector<Verdict> found;
    for (int op = 0; op < ops; ++op) {
      const auto measure = [&] { return measured(op, ++seed_, op == 2 ? change : nullptr); };
      found.push_back(gated(measure(), {file_.write(), 5}, "2026-12-01", measure).verdict);
    }
    return found;
  }

  BaselineFile file_;
  std::uint64_t seed_ = 0;
};

using Verdicts = std::vector<Verdict>;

TEST_F(Nightly, NothingChangedIsGreen) {
  for (int night = 0; night < 25; ++night) {
    EXPECT_EQ(verdicts(nullptr), Verdicts(ops, Verdict::ok));
  }
}

TEST_F(Nightly, ATenPercentSlowdownFailsThatCaseAlone) {
  EXPECT_EQ(verdicts([](Bench& bench) { bench.kernel_ms *= 1.1; }),
            (Verdicts{Verdict::ok, Verdict::ok, Verdict::regression, Verdict::ok}));
}

TEST_F(Nightly, ALostCaptureIsChanged) {
  EXPECT_EQ(verdicts([](Bench& bench) {
              bench.device.faults = {{.call = "instantiate", .times = 100, .code = 999}};
            }),
            (Verdicts{Verdict::ok, Verdict::ok, Verdict::changed, Verdict::ok}));
}

TEST_F(Nightly, ALostColdCacheIsChanged) {
  EXPECT_EQ(verdicts([](Bench& bench) {
              bench.device.fake_info.can_sweep = false;
              bench.device.fake_info.cold_node_cap = 4;
            }),
            (Verdicts{Verdict::ok, Verdict::ok, Verdict::changed, Verdict::ok}));
}

}  // namespace
}  // namespace zl::test
