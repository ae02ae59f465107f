#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/measure/bench.hpp"

namespace zl::test {
namespace {

/// y = 2 x with one thing wrong with it.
Result run_with(const std::function<void(float* out, std::int64_t n)>& spoil, std::int64_t n = 64) {
  Bench bench;
  bench.n = n;
  bench.define = [&](Case& c) {
    const auto x = c.in<float>({n}, normal());
    const auto y = c.out<float>({n});
    c.impl(
        "own",
        [&](Stream s, float* out, const float* in) {
          fake::launch(s, 0.05, [&, out, in] {
            for (std::int64_t i = 0; i < n; ++i) out[i] = 2 * in[i];
            spoil(out, n);
          });
        },
        y, x);
    c.expect(y, twice_rows, same_rows(x));
  };
  return bench.run();
}

void expect_wrong(const Result& r) {
  EXPECT_EQ(r.verdict, Verdict::wrong_result) << r.message;
  EXPECT_EQ(exit_code(r.verdict), Exit::wrong_result);
  EXPECT_FALSE(r.has_latency()) << "a wrong op gets no latency";
  EXPECT_NE(r.message, "");
}

TEST(Verification, ARightOpIsCheckedWholeWhereThatIsFast) {
  const Result r = run_with([](float*, std::int64_t) {});
  EXPECT_EQ(r.verdict, Verdict::ok);
  EXPECT_EQ(r.verified, "all rows");
}

TEST(Verification, CatchesWritesBesideAnOperand) {
  for (const std::int64_t index : {-1, -64, 64, 127}) {
    const Result r = run_with([=](float* out, std::int64_t) { out[index] = 1; });
    expect_wrong(r);
    const std::string where =
        index < 0 ? "4 of 256 bytes before its first element" : "4 of 256 bytes behind its last";
    EXPECT_NE(r.message.find("operand 1: " + where), std::string::npos) << r.message;
  }
  // 65 floats: what rounds them up to a multiple of 256 bytes belongs to nobody.
  const Result odd = run_with([](float* out, std::int64_t n) { out[n] = 1; }, 65);
  EXPECT_EQ(odd.message,
            "operand 1: 4 of 508 bytes behind its last element were written; does the call check "
            "its indices against the shape?");
}

TEST(Verification, AWrongElementIsToldWithItsPlaceAndWhatIsAllowed) {
  const Result r = run_with([](float* out, std::int64_t) { out[3] = 1000; });
  EXPECT_EQ(r.message.rfind("output 1, row 3, column 0: got 1000, want ", 0), 0U) << r.message;
  EXPECT_NE(r.message.find(" x |want|, which .within() of expect() says"), std::string::npos)
      << r.message;
}

TEST(Verification, AReferenceThatWritesMoreThanItsRowsIsAUsageError) {
  for (const std::int64_t too_many : {1, 63, 100'000}) {
    Bench bench;
    bench.define = [&](Case& c) {
      const auto y = c.out<float>({4});
      c.impl(
          "own",
          [](Stream s, float* out) { fake::launch(s, 0.05, [=] { std::fill_n(out, 4, 1.f); }); },
          y);
      c.expect(y, [too_many](Rows rows, double* out) {
        std::fill_n(out, rows.last - rows.first + too_many, 1.0);
      });
    };
    const Result r = bench.run();
    EXPECT_EQ(r.verdict, Verdict::usage);
    EXPECT_NE(r.message.find("the reference of operand 0 wrote more than its rows 0 to 3, of 1 "
                             "elements each: does the output have the shape"),
              std::string::npos)
        << r.message;
  }
}

TEST(Verification, CatchesWritesBesideTheWorkSpace) {
  Bench bench;
  bench.define = [&](Case& c) {
    const auto x = c.in<float>({bench.n}, normal());
    const auto space = c.scratch(4 * sizeof(float));
    const auto y = c.out<float>({bench.n});
    c.impl(
        "own",
        [&](Stream s, float* out, const float* in, u8* space_of_call) {
          fake::launch(s, 0.05, [&, out, in, space_of_call] {
            for (std::int64_t i = 0; i < bench.n; ++i) out[i] = 2 * in[i];
            space_of_call[16] = 1;
          });
        },
        y, x, space);
    c.expect(y, twice_rows, same_rows(x));
  };
  const Result r = bench.run();
  expect_wrong(r);
  EXPECT_NE(r.message.find("operand 1: "), std::string::npos) << r.message;
}

/// y[i] = 2 x[order[i]], then x += 1 where `in_place`, then what is wrong with it.
Result run_gather(bool in_place, const std::function<void(float*)>& spoil) {
  Bench bench;
  bench.define = [&](Case& c) {
    constexpr std::int64_t n = 5;
    const auto order = c.in<std::int32_t>({n}, values({4, 2, 0, 1, 3}));
    const auto x = c.inout<float>({n}, values({0.5, 1.5, 2.5, 3.5, 4.5}));
    const auto y = c.out<float>({n});
    c.impl(
        "own",
        [&](Stream s, float* out, float* in, const std::int32_t* at) {
          fake::launch(s, 0.05, [&, out, in, at] {
            for (std::int64_t i = 0; i < n; ++i) out[i] = 2 * in[at[i]];
            for (std::int64_t i = 0; in_place && i < n; ++i) in[i] += 1;
            spoil(out);
          });
        },
        y, x, order);
    c.expect(
        y,
        [](Rows rows, double* out, const float* in, const std::int32_t* at) {
          for (std::int64_t i = rows.first; i < rows.last; ++i) *out++ = 2.0 * in[at[i]];
        },
        x, order);
  };
  return bench.run();
}

TEST(Verification, ReadsTheValuesThatTheCaseGave) {
  for (bool in_place : {false, true}) {
    const Result r = run_gather(in_place, [](float*) {});
    EXPECT_EQ(r.verdict, Verdict::ok) << r.message;
    EXPECT_EQ(r.verified, "all rows");
  }
  expect_wrong(run_gather(false, [](float* out) { std::swap(out[0], out[1]); }));
}

/// The index of the largest of each row of three, where two are equally large.
Result run_argmax(std::int32_t answer) {
  Bench bench;
  bench.define = [&](Case& c) {
    const auto x = c.in<float>({2, 3}, values({7, 1, 7, 7, 1, 7}));
    const auto y = c.out<std::int32_t>({2, 1});
    c.impl(
        "own",
        [&](Stream s, std::int32_t* out, const float*) {
          fake::launch(s, 0.05, [=] { out[0] = out[1] = answer; });
        },
        y, x);
    const auto largest = [](Rows rows, double* out, const float*) {
      for (std::int64_t r = rows.first; r < rows.last; ++r) *out++ = 7;
    };
    const auto at = [](Rows rows, double* got, const float* in) {
      for (std::int64_t r = rows.first; r < rows.last; ++r, ++got) {
        const bool inside = *got >= 0 && *got < 3;
        *got = inside ? in[r * 3 + static_cast<std::int64_t>(*got)] : std::nan("");
      }
    };
    c.expect(y, largest, same_rows(x)).meaning(at, same_rows(x));
  };
  return bench.run();
}

TEST(Verification, ComparesWhatAnOutputMeans) {
  EXPECT_EQ(run_argmax(0).verdict, Verdict::ok);
  EXPECT_EQ(run_argmax(2).verdict, Verdict::ok);
  expect_wrong(run_argmax(1));
  expect_wrong(run_argmax(3));
}

TEST(Verification, OneWrongElementIsAWrongResultThatNamesIt) {
  const Result r = run_with([](float* out, std::int64_t) { out[17] += 0.1f; });
  expect_wrong(r);
  EXPECT_NE(r.message.find("row 17"), std::string::npos) << r.message;
}

TEST(Verification, NanAndInfinityAreWrong) {
  expect_wrong(run_with([](float* out, std::int64_t) { out[3] = std::nanf(""); }));
  expect_wrong(
      run_with([](float* out, std::int64_t) { out[3] = std::numeric_limits<float>::infinity(); }));
}

TEST(Verification, AnUnwrittenElementIsWrongEvenWhereNoReferenceLooks) {
  Bench bench;
  bench.define = [&](Case& c) {
    const auto y = c.out<float>({1000});
    c.impl(
        "own",
        [&](Stream s, float* out) {
          fake::launch(s, 0.05, [out] {
            std::fill_n(out, 998, 1.0f);
            out[999] = 1;
          });
        },
        y);
  };
  const Result r = bench.run();
  expect_wrong(r);
  EXPECT_NE(r.message.find("998"), std::string::npos) << r.message;
  EXPECT_NE(r.message.find("never written"), std::string::npos);
}

TEST(Verification, StaleOutputOfAnEarlierCallIsWrong) {
  bool wrote = false;
  expect_wrong([&] {
    Bench bench;
    bench.define = [&](Case& c) {
      const auto y = c.out<float>({8});
      c.impl(
          "own", [&](Stream s, float*) { fake::launch(s, 0.05, [&] { wrote = true; }); }, y);
    };
    return bench.run();
  }());
  EXPECT_TRUE(wrote);
}

TEST(Verification, TheResultOfOtherInputsIsWrong) {
  std::vector<float> first;
  expect_wrong([&] {
    Bench bench;
    bench.define = [&](Case& c) {
      const auto x = c.in<float>({8}, normal());
      const auto y = c.out<float>({8});
      c.impl(
          "own",
          [&](Stream s, float* out, const float* in) {
            fake::launch(s, 0.05, [&first, out, in] {
              for (int i = 0; first.size() < 8; ++i) first.push_back(2 * in[i]);
              std::copy(first.begin(), first.end(), out);
            });
          },
          y, x);
      c.expect(y, twice_rows, same_rows(x));
    };
    return bench.run();
  }());
}

TEST(Verification, ACallThatWritesItsInputIsWrong) {
  const Result r = [] {
    Bench bench;
    bench.define = [](Case& c) {
      const auto x = c.in<float>({64}, normal());
      const auto y = c.out<float>({64});
      c.impl(
          "own",
          [](Stream s, float* out, const float* in) {
            fake::launch(s, 0.05, [out, in] {
              for (int i = 0; i < 64; ++i) out[i] = 2 * in[i];
              const_cast<float*>(in)[5] = 0;
            });
          },
          y, x);
      c.expect(
           y,
           [](Rows rows, double* out, const float*) {
             for (std::int64_t i = rows.first; i < rows.last; ++i) *out++ = 0;
           },
           x)
          .within({0, 100});
    };
    return bench.run();
  }();
  expect_wrong(r);
  EXPECT_NE(r.message.find("input 0: 1 of 64 elements were written, the first at index 5"),
            std::string::npos)
      << r.message;
}

TEST(Verification, AnOpWithoutAReferenceSaysReplayOnly) {
  Bench bench;
  bench.define = [&](Case& c) {
    const auto y = c.out<float>({8});
    c.impl(
        "own",
        [&](Stream s, float* out) { fake::launch(s, 0.05, [out] { std::fill_n(out, 8, 1.0f); }); },
        y);
  };
  const Result r = bench.run();
  EXPECT_EQ(r.verdict, Verdict::ok);
  EXPECT_EQ(r.verified, "replay-only");
}

struct SlowReference {
  /// Of `n` rows, each look at some of them taking `ms`.
  SlowReference(std::int64_t n, double ms) {
    bench.n = n;
    bench.define = [this, ms](Case& c) {
      const auto x = c.in<float>({bench.n}, normal());
      const auto y = c.out<float>({bench.n});
      c.impl(
          "own", [this](Stream s, float* out, const float* in) { bench.twice(s, out, in); }, y, x);
      c.expect(
          y,
          [this, ms](Rows rows, double* out, const float* in) {
            bench.device.spend(ms);
            looked_at.push_back(rows);
            twice_rows(rows, out, in);
          },
          same_rows(x));
    };
  }
  Bench bench;
  std::vector<Rows> looked_at;
};

TEST(Verification, ASlowReferenceLooksAtFirstLastAndSeededRowsAndReportsProgress) {
  SlowReference slow(1 << 16, 20);  // 64 blocks of 1024 rows
  const Result r = slow.bench.run();
  const std::vector<Rows>& looked_at = slow.looked_at;
  ASSERT_EQ(r.verdict, Verdict::ok) << r.message;
  ASSERT_GE(looked_at.size(), 5u);
  EXPECT_LE(looked_at.size(), 12u);  // twice about 100 ms of 20 ms each
  EXPECT_EQ(looked_at[0].first, 0);
  EXPECT_EQ(looked_at[1].last, slow.bench.n);
  EXPECT_GE(slow.bench.progress.lives, static_cast<int>(looked_at.size()));
  EXPECT_NE(r.verified.find(" of 65536 rows"), std::string::npos) << r.verified;
}

TEST(Verification, ASlowReferenceOfFewRowsLooksAtEachOnce) {
  SlowReference slow(3, 2000);
  const Result r = slow.bench.run();
  ASSERT_EQ(r.verdict, Verdict::ok) << r.message;
  EXPECT_EQ(slow.looked_at.size(), 2U);  // of two calls, with different inputs
  EXPECT_EQ(r.verified, "all rows");
}

TEST(Verification, ADrawnRowIsWrongOnlyWhereItWasLookedAt) {
  // The last row is always looked at.
  const Result r = run_with([](float* out, std::int64_t n) { out[n - 1] = 0; }, 1 << 16);
  expect_wrong(r);
}

TEST(Verification, TheReferenceSeesInPlaceOperandsAsTheyWereBeforeTheCall) {
  Bench bench;
  bench.define = [&](Case& c) {
    const auto x = c.inout<float>({16}, uniform(1, 2));
    const auto w = c.in<float>({16}, normal());
    c.run("own", [&, x, w](const Launch& l) {
      fake::launch(l.stream(), 0.05, [p = l.ptr(x), q = l.ptr(w)] {
        for (int i = 0; i < 16; ++i) p[i] = p[i] * 3 + q[i];
      });
    });
    c.expect(
         x,
         [](Rows rows, double* out, const float* before, const float* weight) {
           for (std::int64_t i = rows.first; i < rows.last; ++i) {
             *out++ = 3.0 * before[i] + weight[i];
           }
         },
         x, w)
        .within(tolerance<float>(2, 6));
  };
  const Result r = bench.run();
  EXPECT_EQ(r.verdict, Verdict::ok) << r.message;
}

TEST(Verification, InPlaceOpsThatRunIntoInfinityAreReplayMismatches) {
  Bench bench;
  bench.options.cache = CacheChoice::warm;
  bench.define = [&](Case& c) {
    const auto x = c.inout<float>({16}, uniform(1, 2));
    c.run("own", [&, x](const Launch& l) {
      fake::launch(l.stream(), 0.05, [p = l.ptr(x)] {
        for (int i = 0; i < 16; ++i) p[i] *= 1e6f;
      });
    });
  };
  const Result r = bench.run();
  EXPECT_EQ(r.capture_reason, "replay:ReplayMismatch");
}

TEST(Verification, TheToleranceFollowsTypeAndReduction) {
  EXPECT_DOUBLE_EQ(tolerance<f16>().relative, 0x1p-10);
  EXPECT_DOUBLE_EQ(tolerance<bf16>().relative, 0x1p-7);
  EXPECT_DOUBLE_EQ(tolerance<float>(100, 2).absolute, 4 * 0x1p-24 * 200);
  EXPECT_EQ(tolerance<i32>(1000).absolute, 0);
  EXPECT_EQ(tolerance<i32>(1000).relative, 0);
}

TEST(Verification, AnInputKeepsItsValuesForEverySeedAndDiffersBetweenSeeds) {
  const auto first_input = [](std::uint64_t seed) {
    Bench bench;
    bench.options.seed = seed;
    std::vector<float> seen;
    bench.define = [&](Case& c) {
      const auto x = c.in<float>({4}, normal());
      const auto y = c.out<float>({4});
      c.impl(
          "own",
          [&](Stream s, float* out, const float* in) {
            fake::launch(s, 0.05, [&, out, in] {
              seen.assign(in, in + 4);
              std::copy_n(in, 4, out);
            });
          },
          y, x);
    };
    bench.run();
    return seen;
  };
  EXPECT_EQ(first_input(0), first_input(0));
  EXPECT_NE(first_input(0), first_input(1));
}

}  // namespace
}  // namespace zl::test
