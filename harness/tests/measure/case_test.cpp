// The author's interface: what a case may declare, and what is refused.
#include <gtest/gtest.h>

#include "measure/prepare.hpp"
#include "zl/bench.hpp"

namespace zl {
namespace {

template <class F>
std::string usage_message(F f) {
  try {
    f();
  } catch (const Error& e) {
    EXPECT_EQ(e.errc, Errc::usage);
    return e.what();
  }
  ADD_FAILURE() << "no error";
  return {};
}

TEST(CaseAxes, AreFoundByName) {
  Case c({"mm", "f32", {"m", "n"}, {3, 5}});
  EXPECT_EQ(c.axis("m"), 3);
  EXPECT_EQ(c.axis("n"), 5);
  const std::string message = usage_message([&] { c.axis("k"); });
  EXPECT_NE(message.find("'k'"), std::string::npos);
  EXPECT_NE(message.find("m, n"), std::string::npos);
}

TEST(CaseShape, ParsesAndRefuses) {
  const Op op{"mm", {"m", "n", "k"}, {}};
  EXPECT_EQ(parse_shape(op, "16x4096x7168"), (std::vector<std::int64_t>{16, 4096, 7168}));
  for (const char* bad : {"", "16", "16x4096", "1x2x3x4", "16x4096x", "x1x2", "1xax2", "-1x2x3",
                          "1x2x99999999999999999999", "1 x2x3", "1x2x3 "}) {
    EXPECT_NE(usage_message([&] { parse_shape(op, bad); }).find("mxnxk"), std::string::npos) << bad;
  }
}

TEST(CaseOperands, TooLargeForAnAddressIsAUsageError) {
  Case c({"mm", "f32", {}, {}});
  usage_message([&] { c.in<float>({std::int64_t{1} << 40, std::int64_t{1} << 40}, normal()); });
  usage_message([&] { c.out<float>({-1}); });
}

TEST(CaseOperands, ValuesAreAsManyAsTheElements) {
  Case c({"mm", "f32", {}, {}});
  c.in<std::int32_t>({2, 2}, values({0, 1, 2, 3}));
  c.inout<std::int32_t>({0}, values({}));
  for (bool in_place : {false, true}) {
    const std::string message = usage_message([&] {
      if (in_place) c.inout<float>({2, 3}, values({0, 1, 2, 3}));
      if (!in_place) c.in<float>({2, 3}, values({0, 1, 2, 3}));
    });
    EXPECT_NE(message.find("6 elements"), std::string::npos) << message;
    EXPECT_NE(message.find("gives 4"), std::string::npos) << message;
  }
}

TEST(CaseOperands, RowsAreAllAxesButTheLast) {
  const OperandSpec three{Role::out, DType::f32, {2, 3, 5}, {}, false};
  EXPECT_EQ(three.rows(), 6);
  EXPECT_EQ(three.row_length(), 5);
  const OperandSpec one{Role::out, DType::f32, {7}, {}, false};
  EXPECT_EQ(one.rows(), 7);
  EXPECT_EQ(one.row_length(), 1);
}

TEST(CaseTraffic, IsTheSumOfTheOperandsUnlessDeclared) {
  Case c({"op", "f32", {}, {}});
  c.in<float>({10}, normal());
  c.out<f16>({10});
  c.inout<float>({10}, normal());
  c.scratch(1000);
  EXPECT_EQ(c.traffic_bytes(), 40 + 20 + 80);
  c.bytes(7);
  EXPECT_EQ(c.traffic_bytes(), 7);
}

TEST(CaseTraffic, IsNothingWhereThereIsNothingToWrite) {
  Case c({"op", "f32", {}, {}});
  c.in<float>({4096}, normal());
  EXPECT_EQ(c.traffic_bytes(), 4 * 4096) << "it has no outputs";
  c.out<float>({0, 4096});
  EXPECT_EQ(c.traffic_bytes(), 0);
  c.inout<float>({1}, normal());
  EXPECT_EQ(c.traffic_bytes(), 4 * 4096 + 8);
}

struct Half {
  std::uint16_t bits;
};
const void* seen_out = nullptr;
const void* seen_in = nullptr;
int seen_m = 0;
void takes_vendor_types(void* stream, Half* out, const Half* in, int m) {
  static_cast<void>(stream);
  seen_out = out;
  seen_in = in;
  seen_m = m;
}

TEST(CaseImpl, AnExistingFunctionWithVendorTypesPlugsIn) {
  Case c({"op", "f16", {}, {}});
  const auto x = c.in<f16>({4}, normal());
  const auto y = c.out<f16>({4});
  c.impl("own", takes_vendor_types, y, x, std::int64_t{12});
  f16 memory[2][4];
  void* pointers[] = {memory[0], memory[1]};
  const Launch launch(Stream(), pointers, nullptr);
  c.implementations[0].call(launch);
  EXPECT_EQ(seen_in, memory[0]);
  EXPECT_EQ(seen_out, memory[1]);
  EXPECT_EQ(seen_m, 12);
}

TEST(CaseImpl, AnIntegerThatDoesNotFitIsAUsageError) {
  Case c({"op", "f16", {}, {}});
  const auto x = c.in<f16>({4}, normal());
  const auto y = c.out<f16>({4});
  c.impl("own", takes_vendor_types, y, x, std::int64_t{1} << 32);
  f16 memory[4];
  void* pointers[] = {memory, memory};
  const Launch launch(Stream(), pointers, nullptr);
  EXPECT_NE(usage_message([&] { c.implementations[0].call(launch); }).find("4294967296"),
            std::string::npos);
}

TEST(CaseImpl, TwoOfOneNameAreAUsageErrorAndOnesWithoutTestsAreNamed) {
  Case c({"op", "f16", {}, {}});
  for (const char* name : {"own", "vendor", "own"}) c.run(name, [](const Launch&) {});
  EXPECT_EQ(usage_message([&] { find_implementation(c, "own"); }),
            "op op gives two implementations the name 'own': rename one, here and in IMPLS");
  EXPECT_EQ(find_implementation(c, "vendor").name, "vendor");
  EXPECT_EQ(without_tests(c, {"vendor", "own"}), "");
  EXPECT_EQ(without_tests(c, {}), "") << "there is no list to be missing from";
  EXPECT_NE(without_tests(c, {"own"}).find("'vendor'"), std::string::npos);
}

TEST(CaseExpect, WithinAndMeaningNeedAnExpectBeforeThem) {
  Case c({"op", "f16", {}, {}});
  usage_message([&] { c.within({}); });
  usage_message([&] { c.meaning([](Rows, double*) {}); });
}

TEST(CaseRandom, IsLimited) {
  Case c({"op", "f16", {}, {}});
  for (std::size_t i = 0; i < Launch::max_draws; ++i) c.random(1);
  usage_message([&] { c.random(1); });
}

TEST(CaseNames, JoinTypesWithDashes) {
  const CaseId id{"w8a8", "own", "e4m3:e4m3:bf16", "16x4096", "cuda"};
  EXPECT_EQ(id.run_name(), "w8a8/own/e4m3-e4m3-bf16/16x4096");
  EXPECT_EQ(id.test_name(), "perf.cuda.w8a8.own.e4m3-e4m3-bf16.16x4096");
}

TEST(ExitCodes, AreThoseOfTheTable) {
  EXPECT_EQ(static_cast<int>(exit_code(Verdict::ok)), 0);
  EXPECT_EQ(static_cast<int>(exit_code(Verdict::skipped)), 77);
  EXPECT_EQ(static_cast<int>(exit_code(Verdict::usage)), 2);
  EXPECT_EQ(static_cast<int>(exit_code(Verdict::wrong_result)), 3);
  EXPECT_EQ(static_cast<int>(exit_code(Verdict::kernel_failed)), 4);
  EXPECT_EQ(static_cast<int>(exit_code(Verdict::capture_poisoned)), 5);
  EXPECT_EQ(static_cast<int>(exit_code(Verdict::hung)), 6);
  EXPECT_EQ(static_cast<int>(exit_code(Verdict::crashed)), 8);
  EXPECT_EQ(static_cast<int>(exit_code(Verdict::untimeable)), 9);
  EXPECT_EQ(static_cast<int>(exit_code(Verdict::busy)), 10);
  EXPECT_EQ(static_cast<int>(exit_code(Verdict::no_graph)), 11);
  EXPECT_EQ(static_cast<int>(exit_code(Verdict::internal)), 70);
}

}  // namespace
}  // namespace zl
