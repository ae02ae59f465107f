// The mistakes that a person new to zl-bench makes, through main, supervisor and worker: each is
// told by a message that names the thing and what to do. Mistakes that need a vendor's runtime are
// in tests/musa, those in CMake's arguments and in C++ types in tests/cmake.
#include <gtest/gtest.h>

#include <string>

#include "tests/process/fake_run.hpp"
#include "tests/report/scoped_directory.hpp"

namespace zl {
namespace {

using test::content_of;
using test::Outcome;
using test::ScopedDirectory;

Outcome run(const std::string& name, const std::string& flags = "",
            const std::string& environment = "", const std::string& faults = "") {
  // A device of its own: a wait for another test's would be said.
  return test::run(faults, "--zl_case=" + name + " " + flags,
                   environment + " ZL_FAKE_UUID=newcomer");
}

void expect_line(const Outcome& outcome, int exit_code, const std::string& line) {
  EXPECT_EQ(outcome.exit_code, exit_code) << outcome.output;
  EXPECT_TRUE(outcome.says(line + "\n")) << line << "\nis not in\n" << outcome.output;
}

TEST(Newcomer, WithoutADeviceACaseIsSkippedAndWhereOneIsRequiredItIsAnError) {
  expect_line(run("own/f32/64", "", "ZL_FAKE_NO_DEVICE=1"), 77,
              "mistaken/own/f32/64: skipped: no fake device is plugged in; ZL_REQUIRE_DEVICE=1 "
              "makes this an error");
  expect_line(run("own/f32/64", "", "ZL_FAKE_NO_DEVICE=1 ZL_REQUIRE_DEVICE=1"), 2,
              "mistaken/own/f32/64: usage: no fake device is plugged in, and ZL_REQUIRE_DEVICE=1 "
              "asks for one: check the driver and the visible-device variables, or unset it to "
              "skip");
}

TEST(Newcomer, ATypeThatTheOpWasNotBuiltForIsToldThoseThatItWas) {
  const Outcome outcome = run("own/f64/64");
  expect_line(outcome, 2,
              "--zl_case=own/f64/64: unknown types 'f64'; mistaken has f32, from TYPES of "
              "zl_add_perf_test()");
}

TEST(Newcomer, AShapeOfAnotherRankIsToldTheAxes) {
  expect_line(run("own/f32/64x64"), 2,
              "--zl_case=own/f32/64x64: shape '64x64' has 2 axes; expected 1: n");
}

TEST(Newcomer, AnAxisThatNoIntegerHoldsIsToldTheLargest) {
  expect_line(run("own/f32/9223372036854775808"), 2,
              "--zl_case=own/f32/9223372036854775808: shape '9223372036854775808': "
              "'9223372036854775808' is not a whole number from 0 to 9223372036854775807");
}

TEST(Newcomer, AnOperandThatNoAddressReachesIsNamedWithItsShape) {
  expect_line(run("too_large/own/f32/4294967296"), 2,
              "too_large/own/f32/4294967296: usage: op too_large: operand 0 of shape "
              "4294967296x4294967296 has more than 2^63 - 1 bytes: take a smaller shape");
}

TEST(Newcomer, AProductThatOverflowedIsToldHowToComputeIt) {
  expect_line(run("multiplied_in_an_int/own/f32/50000"), 2,
              "multiplied_in_an_int/own/f32/50000: usage: op multiplied_in_an_int: operand 0 of "
              "shape -1794967296 has a negative extent: did a product overflow? Compute it in "
              "zl::i64");
}

TEST(Newcomer, AValueTooLargeForAParameterIsToldWhatToChange) {
  expect_line(run("narrow/f32/64"), 2,
              "mistaken/narrow/f32/64: usage: the value 274877906944 does not fit the "
              "implementation's 32-bit parameter: make that a zl::i64, or take a smaller shape");
}

TEST(Newcomer, AnImplementationThatTheCaseLacksIsToldThoseThatItHas) {
  expect_line(run("not_in_case/f32/64"), 2,
              "mistaken/not_in_case/f32/64: usage: op mistaken has no implementation 'not_in_case' "
              "here; its case declares: own half_written default_stream narrow not_in_IMPLS. Add "
              "c.impl(\"not_in_case\", ...) to it; one that only some backends have stands in "
              "IMPLS with its backend, as cuda:not_in_case");
}

TEST(Newcomer, AnImplementationThatImplsLacksIsToldOfAndNotMeasured) {
  expect_line(run("own/f32/64"), 0,
              "zl-bench: op mistaken has the implementation 'not_in_IMPLS' too, without a test: "
              "name it in IMPLS of zl_add_perf_test()");
  expect_line(run("not_in_IMPLS/f32/64"), 2,
              "--zl_case=not_in_IMPLS/f32/64: unknown implementation 'not_in_IMPLS'; mistaken has "
              "own, half_written, default_stream, narrow, not_in_case, from IMPLS of "
              "zl_add_perf_test()");
}

TEST(Newcomer, AnOutputThatIsNotWrittenIsAWrongResult) {
  const Outcome outcome = run("half_written/f32/64");
  expect_line(outcome, 3,
              "mistaken/half_written/f32/64: wrong_result: output 1: 32 of 64 elements were never "
              "written, the first at index 32. A call has to write all of an out(): is its grid "
              "too small, or was its launch refused and the error not checked?");
  EXPECT_FALSE(outcome.has_latency());
}

TEST(Newcomer, ACallOnTheDefaultStreamIsTimedDirectlyAndToldItsStream) {
  const Outcome outcome = run("default_stream/f32/64");
  expect_line(outcome, 0,
              "BENCHMARK_DIRECT_NO_CUDAGRAPH op=mistaken phase=capture reason=NothingCaptured "
              "detail='graph: the captured graph is empty: its work went to another "
              "stream, as the default one; launch it on the stream that the call is given'");
  EXPECT_TRUE(outcome.says("name=\"method\">direct<")) << outcome.output;
}

TEST(Newcomer, ADebugBuildIsMeasuredAndMarkedWhereverItsNumberIs) {
  const ScopedDirectory results;
  const Outcome outcome = run("own/f32/64", "--zl_result_dir=" + results.path);
  const std::string why =
      "built without optimization (CMAKE_BUILD_TYPE=Debug): configure with "
      "-DCMAKE_BUILD_TYPE=Release";
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
  EXPECT_TRUE(outcome.has_latency());
  EXPECT_TRUE(outcome.says(" UNTRUSTED (")) << outcome.output;
  EXPECT_TRUE(outcome.says(" | untrusted: " + why)) << outcome.output;
  EXPECT_TRUE(outcome.says("name=\"untrusted\">" + why + "<")) << outcome.output;
  EXPECT_NE(content_of(results / "perf.fake.mistaken.own.f32.64.json").find(why),
            std::string::npos);
}

TEST(Newcomer, AResultDirectoryThatCannotBeMadeIsToldBeforeAnythingIsMeasured) {
  expect_line(run("own/f32/64", "--zl_result_dir=/dev/null/results", "", "call=generate hang"), 2,
              "--zl_result_dir=/dev/null/results: cannot create directory /dev/null/results: Not a "
              "directory");
}

TEST(Newcomer, WhereTheDiskIsFullNothingIsHalfWrittenAndNoNumberIsShown) {
  const ScopedDirectory folder;
  for (const std::string& flag :
       {"--zl_result_dir=" + folder.path, "--zl_samples=" + (folder / "samples.csv"),
        "--zl_dump_graph=" + (folder / "graph.dot"), "--benchmark_out=" + (folder / "out.json")}) {
    // As a full disk does, the limit lets a file be made but not be written.
    const Outcome outcome = run("own/f32/64", flag, "trap '' XFSZ; ulimit -f 0;");
    EXPECT_EQ(outcome.exit_code, 2) << outcome.output;
    EXPECT_TRUE(outcome.says("cannot write " + folder.path)) << outcome.output;
    EXPECT_TRUE(outcome.says(": File too large")) << outcome.output;
    EXPECT_FALSE(outcome.has_latency()) << outcome.output;
    EXPECT_TRUE(folder.names().empty()) << folder.names().front();
  }
}

}  // namespace
}  // namespace zl
