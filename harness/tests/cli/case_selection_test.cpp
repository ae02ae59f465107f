#include "cli/case_selection.hpp"

#include <gtest/gtest.h>

#include "usage_error.hpp"

namespace zl {
namespace {

struct CaseSelection : testing::Test {
  CaseSelection() {
    declared.op = "mm";
    declared.impls = {"own", "cublaslt"};
    declared.versus = {"cublaslt"};
    declared.shapes = {{"16x4x7", {{"model", "small"}}}, {"64x4x7", {}}};
  }
  Selected find(const std::string& name) const { return find_case(name, ops, declared, "cuda"); }
  std::string refusal(const std::string& name) const {
    return usage_error([this, &name] { find(name); });
  }
  std::vector<std::string> select(const std::vector<std::string>& flags) const {
    std::vector<std::string> argv = {"zl_mm_cuda"};
    argv.insert(argv.end(), flags.begin(), flags.end());
    std::vector<std::string> names;
    for (const Selected& one :
         select_cases(parse_invocation(argv, declared, {}), ops, declared, "cuda")) {
      names.push_back(one.id.run_name());
    }
    return names;
  }

  std::vector<Op> ops = {{"mm", {"m", "n", "k"}, {{"f16", nullptr}, {"e4m3:e4m3:bf16", nullptr}}}};
  Declared declared;
};

TEST_F(CaseSelection, ACaseIsFoundByName) {
  const Selected one = find("own/e4m3-e4m3-bf16/16x4x7");
  EXPECT_EQ(one.op, ops.data());
  EXPECT_EQ(one.id.op, "mm");
  EXPECT_EQ(one.id.impl, "own");
  EXPECT_EQ(one.id.types, "e4m3:e4m3:bf16");
  EXPECT_EQ(one.id.shape, "16x4x7");
  EXPECT_EQ(one.id.backend, "cuda");
  EXPECT_EQ(one.columns.at("model"), "small");
  EXPECT_EQ(one.id.test_name(), "perf.cuda.mm.own.e4m3-e4m3-bf16.16x4x7");
}

TEST_F(CaseSelection, ItsTypesMayBeSpelledWithColonsAndItsRunNameWorksToo) {
  EXPECT_EQ(find("own/e4m3:e4m3:bf16/16x4x7").id.types, "e4m3:e4m3:bf16");
  const std::string name = find("own/e4m3:e4m3:bf16/16x4x7").id.run_name();
  EXPECT_EQ(find(name).id.run_name(), name);
}

TEST_F(CaseSelection, TheNameOfItsTestWorksToo) {
  const std::string name = "perf.cuda.mm.own.e4m3-e4m3-bf16.16x4x7";
  EXPECT_EQ(find(name).id.test_name(), name);
  EXPECT_THROW(find("perf.host.mm.own.f16.16x4x7"), Error);
}

TEST_F(CaseSelection, AShapeNeedNotBeDeclaredAndHasOneSpelling) {
  const Selected one = find("own/f16/016x04x9223372036854775807");
  EXPECT_EQ(one.id.shape, "16x4x9223372036854775807");
  EXPECT_TRUE(one.columns.empty());
  EXPECT_EQ(find("own/f16/16x4x0").id.shape, "16x4x0");
}

TEST_F(CaseSelection, AnUnknownPartIsNamedWithWhatIsAllowed) {
  expect_mentions(refusal("bmm/own/f16/1x1x1"), "'bmm'; this executable has mm");
  expect_mentions(refusal("mine/f16/1x1x1"), "'mine'; mm has own, cublaslt");
  expect_mentions(refusal("own/f32/1x1x1"), "'f32'; mm has f16, e4m3:e4m3:bf16");
  expect_mentions(refusal("own/f16"), "IMPL/TYPES/SHAPE");
  expect_mentions(refusal("a/b/c/d/e"), "IMPL/TYPES/SHAPE");
}

TEST_F(CaseSelection, AnOpThatIsNotRegisteredIsToldWhereItHasToBe) {
  const auto refusal_of = [this] {
    return usage_error([this] { select({"--zl_case=own/f16/1x1x1"}); });
  };
  ops[0].name = "mm2";
  const std::string remedy =
      ": ZL_OP(mm, ...) has to be compiled in the file after CASE, outside of #if and of comments";
  EXPECT_EQ(refusal_of(), "op mm is not registered, this executable has mm2" + remedy);
  ops.clear();
  EXPECT_EQ(refusal_of(), "op mm is not registered, this executable has none" + remedy);
  EXPECT_EQ(usage_error([this] { select({}); }), refusal_of());
}

TEST_F(CaseSelection, AMalformedShapeIsNamed) {
  for (const std::string shape : {"1x2x", "x1x2", "1xax2", "1x-2x3", "1x2.5x3", "1x 2x3", "1X2X3",
                                  "1x2x9223372036854775808", "+1x2x3"}) {
    expect_mentions(refusal("own/f16/" + shape), "'" + shape + "'");
  }
}

TEST_F(CaseSelection, AShapeOfAnotherRankIsToldTheAxes) {
  expect_mentions(refusal("own/f16/1x2"), "has 2 axes; expected 3: m, n, k");
  expect_mentions(refusal("own/f16/1x2x3x4"), "has 4 axes");
}

TEST_F(CaseSelection, WithoutAListTheOnlyOpOfTheExecutableIsMeant) {
  declared = {};
  EXPECT_EQ(find("anything/f16/1x2x3").id.run_name(), "mm/anything/f16/1x2x3");
  expect_mentions(refusal("/f16/1x2x3"), "implementation");
}

TEST_F(CaseSelection, AFilterSelectsAmongTheDeclaredCases) {
  EXPECT_EQ(select({}).size(), 8u);
  EXPECT_EQ(select({"--benchmark_filter=own/f16/"}),
            (std::vector<std::string>{"mm/own/f16/16x4x7", "mm/own/f16/64x4x7"}));
  EXPECT_EQ(select({"--benchmark_filter=-own"}).size(), 4u);
  EXPECT_EQ(select({"--zl_case=own/f16/1x1x1"}), std::vector<std::string>{"mm/own/f16/1x1x1"});
}

TEST_F(CaseSelection, AFilterThatMatchesNothingIsAUsageError) {
  expect_mentions(usage_error([this] { select({"--benchmark_filter=conv"}); }), "conv");
}

TEST_F(CaseSelection, AnUnknownImplementationToCompareWithIsAUsageError) {
  const std::string error = usage_error([this] { select({"--zl_versus=cudnn"}); });
  expect_mentions(error, "--zl_versus=cudnn");
  expect_mentions(error, "own, cublaslt");
}

TEST_F(CaseSelection, AFileOfOneCaseIsNotForSeveral) {
  const auto require = [this](const std::string& flag, const std::string& which) {
    const Invocation invocation =
        parse_invocation({"zl_mm_cuda", flag + "=" + testing::TempDir() + "file", which}, {}, {});
    require_one_case(invocation, select_cases(invocation, ops, declared, "cuda"));
  };
  for (const std::string flag : {"--zl_dump_graph", "--zl_samples"}) {
    require(flag, "--zl_case=own/f16/16x4x7");
    require(flag, "--benchmark_filter=own/f16/16x4x7");
    const std::string error = usage_error([&] { require(flag, "--benchmark_filter=own/f16"); });
    expect_mentions(error, flag + "=" + testing::TempDir() + "file");
    expect_mentions(error, "2 are selected");
    expect_mentions(error, "--zl_case=mm/own/f16/16x4x7");
  }
}

TEST_F(CaseSelection, NothingIsComparedWithItself) {
  const Invocation invocation = parse_invocation({"zl_mm_cuda"}, declared, {});
  EXPECT_EQ(options_for(invocation, find("own/f16/1x1x1")).versus, "cublaslt");
  EXPECT_EQ(options_for(invocation, find("cublaslt/f16/1x1x1")).versus, "");
}

}  // namespace
}  // namespace zl
