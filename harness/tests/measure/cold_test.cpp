#include <gtest/gtest.h>

#include <set>

#include "tests/measure/bench.hpp"

namespace zl::test {
namespace {

/// Input copies that the executed calls of the last replay used, in order.
std::vector<const float*> last_replay(const Bench& bench, const Result& r) {
  const auto calls = static_cast<std::size_t>(r.n_repeat);
  return {bench.inputs.end() - static_cast<std::ptrdiff_t>(calls), bench.inputs.end()};
}

TEST(Cold, OneReplayTouchesEveryCopyInTurn) {
  Bench bench;
  bench.n = 1 << 12;  // 32 KiB a call: 128 copies for 4 MiB
  bench.kernel_ms = 0.5;
  const Result r = bench.run();
  ASSERT_EQ(r.verdict, Verdict::ok) << r.message;
  EXPECT_EQ(r.cache, Cache::cold);
  EXPECT_EQ(r.cold_by, "rotation");
  EXPECT_EQ(r.copies, 128);
  EXPECT_EQ(r.n_repeat, 128);  // four calls would fill 2 ms and leave the rest warm
  const auto used = last_replay(bench, r);
  EXPECT_EQ(std::set<const float*>(used.begin(), used.end()).size(), 128u);
}

TEST(Cold, RepeatsAreAWholeNumberOfRotations) {
  Bench bench;
  bench.n = 1 << 14;  // 128 KiB a call: 32 copies
  bench.kernel_ms = 0.01;
  const Result r = bench.run();
  EXPECT_EQ(r.copies, 32);
  EXPECT_EQ(r.n_repeat, 224);  // 2 ms are 200 calls
}

TEST(Cold, EveryCopyHoldsTheSameInputs) {
  Bench bench;
  bench.n = 1 << 14;
  std::vector<std::vector<float>> contents;
  bench.define = [&](Case& c) {
    const auto x = c.in<float>({bench.n}, normal());
    const auto y = c.out<float>({bench.n});
    c.impl(
        "own",
        [&](Stream s, float* out, const float* in) {
          fake::launch(s, 0.05, [&, out, in] {
            contents.emplace_back(in, in + bench.n);
            for (std::int64_t i = 0; i < bench.n; ++i) out[i] = in[i];
          });
        },
        y, x);
  };
  bench.options.sustained = SustainedChoice::off;
  ASSERT_EQ(bench.run().verdict, Verdict::ok);
  // The first call is verified with other inputs.
  ASSERT_NE(contents.at(0), contents.at(1));
  for (std::size_t i = 2; i < contents.size(); ++i) ASSERT_EQ(contents[i], contents[1]);
}

TEST(Cold, WhereRotationCannotReachItTheResultSaysWarmAndWhy) {
  Bench bench;
  bench.n = 4;
  bench.device.fake_info.can_sweep = false;
  const Result r = bench.run();
  ASSERT_EQ(r.verdict, Verdict::ok);
  EXPECT_EQ(r.cache, Cache::warm);
  EXPECT_EQ(r.cold_by, "");
  EXPECT_EQ(r.copies, 1);
  EXPECT_NE(r.cache_note, "");
}

TEST(Cold, ACallOfManyNodesThatBreaksTheCapIsWarm) {
  Bench bench;
  bench.n = 1 << 9;  // 4 KiB a call: 1024 copies
  bench.device.fake_info.cold_node_cap = 2000;
  bench.device.fake_info.can_sweep = false;
  bench.define = [&](Case& c) { bench.define_repeated(c, 3); };
  const Result r = bench.run();
  ASSERT_EQ(r.verdict, Verdict::ok) << r.message;
  EXPECT_EQ(r.method, Method::graph);
  EXPECT_EQ(r.cache, Cache::warm);
  EXPECT_EQ(r.nodes_per_call, 3);
  EXPECT_EQ(r.copies, 1);
  EXPECT_NE(r.cache_note.find("exceed the 2000 nodes"), std::string::npos) << r.cache_note;
}

TEST(Cold, NoMemoryForTheCopiesMeansWarm) {
  Bench bench;
  bench.n = 1 << 12;
  bench.device.fake_info.can_sweep = false;
  // The first operand fits with all its copies, the second does not.
  bench.device.faults = {{.call = "allocate", .phase = "sync", .skip = 1, .code = 2}};
  const Result r = bench.run();
  ASSERT_EQ(r.verdict, Verdict::ok) << r.message;
  EXPECT_EQ(r.cache, Cache::warm);
  EXPECT_NE(r.cache_note.find("no memory"), std::string::npos) << r.cache_note;
  EXPECT_EQ(bench.device.live_blocks, 0);
}

TEST(Mixed, WarmOperandsAreShared) {
  Bench bench;
  bench.n = 1 << 13;
  std::set<const float*> activations;
  std::set<const float*> weights;
  bench.define = [&](Case& c) {
    const auto a = c.in<float>({bench.n}, normal()).warm();
    const auto w = c.in<float>({bench.n}, normal());
    const auto y = c.out<float>({bench.n});
    c.impl(
        "own",
        [&](Stream s, float* out, const float* x, const float* v) {
          fake::launch(s, 0.05, [&, out, x, v] {
            activations.insert(x);
            weights.insert(v);
            for (std::int64_t i = 0; i < bench.n; ++i) out[i] = x[i] + v[i];
          });
        },
        y, a, w);
  };
  const Result r = bench.run();
  ASSERT_EQ(r.verdict, Verdict::ok) << r.message;
  EXPECT_EQ(r.cache, Cache::mixed);
  EXPECT_EQ(activations.size(), 1u);
  EXPECT_EQ(weights.size(), static_cast<std::size_t>(r.copies));
  EXPECT_EQ(r.copies, 64);  // weights and outputs: 64 KiB a call
}

TEST(Mixed, WhatIsDeclaredOfWarmOperandsKeepsNothingCold) {
  Bench bench;
  bench.define = [&](Case& c) {
    const auto a = c.in<float>({1 << 13}, normal()).warm();  // 32 KiB
    const auto w = c.in<float>({1 << 14}, normal());         // 64 KiB, of which a call reads 4
    const auto y = c.out<float>({1});
    c.bytes((32 + 4) << 10);
    c.impl(
        "own",
        [](Stream s, float* out, const float*, const float*) {
          fake::launch(s, 0.05, [out] { *out = 1; });
        },
        y, a, w);
  };
  EXPECT_EQ(bench.run().copies, 1024);  // 4 MiB in parts of 4 KiB
}

TEST(Resets, TouchTheCopyThatComesIntoUseHalfARotationLater) {
  Bench bench;
  bench.n = 1 << 14;
  bench.kernel_ms = 0.05;
  std::vector<std::pair<char, const float*>> order;
  bench.define = [&](Case& c) {
    const auto y = c.inout<float>({bench.n}, constant(0));
    c.reset([&, y](const Launch& l) {
      fake::launch(l.stream(), 0.001, [&, p = l.ptr(y)] {
        order.emplace_back('r', p);
        std::fill_n(p, bench.n, 0.0f);
      });
    });
    c.run("own", [&, y](const Launch& l) {
      fake::launch(l.stream(), 0.05, [&, p = l.ptr(y)] {
        order.emplace_back('c', p);
        for (std::int64_t i = 0; i < bench.n; ++i) p[i] += 1;
        ASSERT_EQ(p[0], 1) << "a call accumulated onto an earlier one";
      });
    });
  };
  const Result r = bench.run();
  ASSERT_EQ(r.verdict, Verdict::ok) << r.message;
  ASSERT_EQ(r.copies, 64);
  // In the timed replays: the reset before a call is of the copy used 32 calls later.
  const auto last = static_cast<std::ptrdiff_t>(order.size());
  std::vector<std::pair<char, const float*>> replays;
  for (const auto& entry : order) replays.push_back(entry);
  int checked = 0;
  for (std::ptrdiff_t i = 0; i + 64 < last; ++i) {
    if (replays[i].first != 'r' || replays[i + 1].first != 'c') continue;
    if (replays[i].second == replays[i + 1].second) continue;  // a single call being compared
    for (std::ptrdiff_t later = i + 1; later < last; ++later) {
      if (replays[later].first != 'c' || replays[later].second != replays[i].second) continue;
      EXPECT_EQ(later - i, 65);  // 32 pairs of reset and call, and the first call
      ++checked;
      break;
    }
    if (checked == 100) break;
  }
  EXPECT_EQ(checked, 100);
}

}  // namespace
}  // namespace zl::test
