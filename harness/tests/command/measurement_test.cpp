// What a command may write, and what each mistake in it comes to.
#include <gtest/gtest.h>

#include "command_process.hpp"

namespace zl {
namespace {

using Json = nlohmann::json;

/// A mistake: the key and what it is set to, none: it is left out.
struct Mistake {
  const char* name;
  const char* key;
  std::optional<Json> value;
  int code;
  const char* message;
};

class CommandMistake : public CommandProcess, public testing::WithParamInterface<Mistake> {};

TEST_P(CommandMistake, EndsWithoutANumberAndIsNamed) {
  Json json = measured();
  json.erase(GetParam().key);
  if (GetParam().value) json[GetParam().key] = *GetParam().value;
  const int code = run_writing(json);
  expect_no_number(code, GetParam().code, GetParam().code == 9 ? "untimeable" : "usage");
  EXPECT_TRUE(says(GetParam().message)) << output();
}

Json samples(std::size_t count, const Json& last) {
  Json list = Json::array();
  for (std::size_t i = 1; i < count; ++i) list.push_back(1.5);
  list.push_back(last);
  return list;
}

INSTANTIATE_TEST_SUITE_P(
    Keys, CommandMistake,
    testing::Values(
        Mistake{"no_schema", "schema", {}, 2, "schema is null, expected \"zl-perf-command/1\""},
        Mistake{"other_schema", "schema", "zl-perf-command/2", 2,
                "schema is \"zl-perf-command/2\""},
        Mistake{"unknown_key", "verifed", true, 2,
                "unknown key 'verifed', allowed: schema, samples"},
        Mistake{"no_samples", "samples_us", {}, 2, "samples_us is missing"},
        Mistake{"samples_no_list", "samples_us", 1.5, 2, "samples_us is 1.5, expected a list"},
        Mistake{"samples_empty", "samples_us", Json::array(), 2, "samples_us has 0, needed: 10"},
        Mistake{"too_few", "samples_us", samples(9, 1.5), 2, "samples_us has 9, needed: 10"},
        Mistake{"too_few_long", "samples_us", Json::array({20e3, 20e3}), 2,
                "samples_us has 2, needed: 10, or 3"},
        Mistake{"too_many", "samples_us", samples(100001, 1.5), 2, "has 100001, allowed: at most"},
        Mistake{"sample_text", "samples_us", samples(10, "1.5"), 2, "samples_us[9] is \"1.5\""},
        Mistake{"sample_null", "samples_us", samples(10, nullptr), 2, "samples_us[9] is null"},
        Mistake{"sample_zero", "samples_us", samples(10, 0), 9, "samples_us[9] is 0, which is no"},
        Mistake{"sample_negative", "samples_us", samples(10, -1.5), 9, "samples_us[9] is -1.5"},
        Mistake{"more_than_it_ran", "samples_us", samples(10, 1e12), 9,
                "add up to 1e+09 ms, and it"},
        Mistake{"calls_it_never_made", "calls_per_sample", 1000000000, 9, "and it ran for"},
        Mistake{"calls_zero", "calls_per_sample", 0, 2, "calls_per_sample is 0"},
        Mistake{"calls_broken", "calls_per_sample", 1.5, 2, "expected a whole number"},
        Mistake{"other_latency", "latency_us", 1.51, 2,
                "the median of samples_us 1.5 us: leave it"},
        Mistake{"no_method", "method", {}, 2, "method is missing: a word for how the samples"},
        Mistake{"method_words", "method", "in a loop", 2,
                "method is \"in a loop\", expected one word"},
        Mistake{"no_cache", "cache", {}, 2, "cache is missing: \"warm\", or \"cold\" with cold_by"},
        Mistake{"other_cache", "cache", "hot", 2, "cache is \"hot\", expected warm or cold"},
        Mistake{"cold_without_by", "cache", "cold", 2, "cold_by is missing: a word for what keeps"},
        Mistake{"cold_by_warm", "cold_by", "flush", 2, "cold_by is for cache \"cold\""},
        Mistake{"no_bytes", "bytes", 0, 2, "bytes is 0, expected a number above 0"},
        Mistake{"flops_text", "flops", "2e9", 2, "flops is \"2e9\", expected a number above 0"},
        Mistake{"verified_text", "verified", "yes", 2,
                "verified is \"yes\", expected true or false"},
        Mistake{"notes_list", "notes", Json::array(), 2,
                "notes is [], expected an object of texts"},
        Mistake{"note_number", "notes", Json({{"block", 128}}), 2,
                "notes.block is 128, expected a text"},
        Mistake{"skip_true", "skip", true, 2, "skip is true, expected a text"},
        Mistake{"failed_empty", "failed", "", 2, "failed is \"\", expected a text"}),
    [](const testing::TestParamInfo<Mistake>& info) { return std::string(info.param.name); });

struct MeasurementText : CommandProcess {};

TEST_F(MeasurementText, WhatIsNotJsonIsNamedWithItsPlace) {
  const std::string text = measured().dump();
  expect_no_number(run_writing_text(text.substr(0, text.size() / 2)), 2, "usage");
  EXPECT_TRUE(says("cannot be read as JSON")) << output();
  expect_no_number(run_writing_text(""), 2, "usage");
  expect_no_number(run_writing_text("[]"), 2, "usage");
  EXPECT_TRUE(says("it is no JSON object")) << output();
  for (const std::string number : {"NaN", "Infinity", "-Infinity"}) {
    std::string with = text;
    with.replace(with.find("1.4"), 3, number);
    expect_no_number(run_writing_text(with), 2, "usage");
    EXPECT_TRUE(says("JSON has no NaN and no Infinity")) << output();
  }
  std::string with = text;
  with.replace(with.find("1.4"), 3, "1e999");
  expect_no_number(run_writing_text(with), 2, "usage");
}

TEST_F(MeasurementText, WhatIsNestedWithoutEndIsRefused) {
  for (const char* before :
       {"", R"({"schema": )", R"({"schema": "zl-perf-command/1", "notes": )"}) {
    expect_no_number(run_writing_text(before + std::string(1000000, '[')), 2, "usage");
    EXPECT_TRUE(says("nested deeper than 64")) << output().substr(0, 1000);
  }
}

TEST_F(MeasurementText, OnlyARegularFileOfLimitedSizeIsRead) {
  expect_no_number(run(arguments({}, {"mkfifo", "{result}"})), 2, "usage");
  EXPECT_TRUE(says("no regular file")) << output();
  expect_no_number(run(arguments({}, {"ln", "-s", "/dev/zero", "{result}"})), 2, "usage");
  expect_no_number(run(arguments({}, {"truncate", "--size=17M", "{result}"})), 2, "usage");
  EXPECT_TRUE(says("more than 16 MiB")) << output();
  expect_no_number(run(arguments({}, {"ln", "-s", "{result}", "{result}"})), 2, "usage");
  EXPECT_TRUE(says("no regular file")) << output();
}

TEST_F(MeasurementText, ASkipAFailureAndAWrongResultNeedNoSamples) {
  const Json schema = {{"schema", "zl-perf-command/1"}};
  Json said = schema;
  said["skip"] = "needs 80 GiB";
  expect_no_number(run_writing(said), 77, "skipped");
  EXPECT_TRUE(says("needs 80 GiB")) << output();
  said = schema;
  said["failed"] = "illegal address";
  expect_no_number(run_writing(said), 4, "kernel_failed");
  EXPECT_TRUE(says("illegal address")) << output();
  said = schema;
  said["verified"] = false;
  expect_no_number(run_writing(said), 3, "wrong_result");
  // With samples beside it, too.
  said.update(measured());
  expect_no_number(run_writing(said), 3, "wrong_result");
}

TEST_F(MeasurementText, ThreeSamplesAreEnoughOfLongCalls) {
  Json json = measured();
  json["samples_us"] = {20e3, 20e3, 20e3};
  EXPECT_EQ(run_writing(json, {}, "sleep 0.1"), 0) << output();
}

TEST_F(MeasurementText, ALatencyThatEqualsTheMedianIsTaken) {
  Json json = measured();
  json["latency_us"] = 1.5;
  EXPECT_EQ(run_writing(json), 0) << output();
}

}  // namespace
}  // namespace zl
