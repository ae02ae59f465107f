#include "gate/baseline.hpp"

#include "baseline_file.hpp"
#include "zl/error.hpp"

namespace zl::test {
namespace {

std::string usage_error(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& e) {
    EXPECT_EQ(e.errc, Errc::usage);
    return e.what();
  }
  return "";
}

std::string why_not(const std::string& path, const Result& result) {
  const auto found = find_baseline(path, result);
  const auto* why = std::get_if<std::string>(&found);
  return why == nullptr ? "" : *why;
}

TEST(Baseline, IsReadAsTheDocumentShowsIt) {
  BaselineFile file;
  file.add_medians({2.5, 3.5});
  const Baseline baseline = read_baseline(file.write());
  EXPECT_EQ(baseline.expires, "2027-02-28");
  const auto& runs = baseline.cases.at("perf.cuda.mm.own.e4m3-bf16.16x4096x7168/adaptive/auto");
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[1].median_us, 3.5);
  EXPECT_EQ(runs[1].cold_by, "rotation");
}

TEST(Baseline, WhatIsNoBaselineIsAUsageErrorThatNamesTheFileAndTheFault) {
  const BaselineFile file;
  const auto error_of = [&](const std::string& text) {
    const std::string path = file.write_text(text);
    const std::string error = usage_error([&] { read_baseline(path); });
    EXPECT_NE(error.find(path), std::string::npos) << error;
    return error;
  };
  EXPECT_NE(error_of("{\"schema\": 1, \"dev").find("cannot be read as JSON"), std::string::npos);
  EXPECT_NE(error_of("{\"schema\": 2}").find("schema is not 1"), std::string::npos);
  EXPECT_NE(error_of("[]").find("schema is not 1"), std::string::npos);
  EXPECT_NE(error_of("{\"schema\": 1}").find("harness_version"), std::string::npos);
  EXPECT_NE(error_of(R"({"schema": )" + std::string(1000000, '[')).find("nested deeper than 64"),
            std::string::npos);
  EXPECT_NE(usage_error([&] { read_baseline(file.folder()); }).find("Is a directory"),
            std::string::npos);
  BaselineFile negative;
  negative.add_medians({-1});
  EXPECT_NE(usage_error([&] { read_baseline(negative.write()); }).find("not above 0"),
            std::string::npos);
  BaselineFile text;
  text.add_medians({1});
  text.json["cases"].begin().value()["runs"][0]["median_us"] = "1";
  EXPECT_NE(usage_error([&] { read_baseline(text.write()); }), "");
}

TEST(Baseline, OfAnotherDeviceDriverRuntimeOrHarnessIsNone) {
  for (const char* key : {"device", "driver", "runtime", "harness_version"}) {
    BaselineFile file;
    file.add_medians({1});
    EXPECT_EQ(why_not(file.write(), result_of(1)), "");
    file.json[key] = "other";
    const std::string why = why_not(file.write(), result_of(1));
    EXPECT_NE(why.find(std::string(key) + " is 'other' there"), std::string::npos) << why;
  }
}

TEST(Baseline, OfOneCardIsForThatCardOnly) {
  BaselineFile file;
  file.add_medians({1});
  Result result = result_of(1);
  result.device_uuid = "GPU-1";
  EXPECT_EQ(why_not(file.write(), result), "") << "without a card it is for all of the model";
  file.json["device_uuid"] = "GPU-1";
  EXPECT_EQ(why_not(file.write(), result), "");
  result.device_uuid = "GPU-2";
  EXPECT_EQ(why_not(file.write(), result), "device_uuid is 'GPU-1' there and 'GPU-2' here");
  EXPECT_NE(why_not(file.folder(), result).find("none of the 1 files"), std::string::npos);
}

TEST(Baseline, InADirectoryTheOneOfTheCardGoesBeforeThatOfAllCards) {
  for (const char* of_card : {"a.json", "z.json"}) {
    BaselineFile file;
    file.add_medians({1});
    file.write("general.json");
    file.json["device_uuid"] = "GPU-1";
    file.write(of_card);
    Result result = result_of(1);
    result.device_uuid = "GPU-1";
    EXPECT_EQ(std::get<Baseline>(find_baseline(file.folder(), result)).device_uuid, "GPU-1");
    result.device_uuid = "GPU-2";
    EXPECT_EQ(std::get<Baseline>(find_baseline(file.folder(), result)).device_uuid, "");
  }
}

TEST(Baseline, InADirectoryTheOneThatFitsIsFound) {
  BaselineFile file;
  file.add_medians({1});
  file.write("fits.json");
  file.write_text("not a baseline", "notes.txt");
  file.json["driver"] = "9.9";
  file.write("another.json");
  EXPECT_EQ(why_not(file.folder(), result_of(1)), "");
  Result elsewhere = result_of(1);
  elsewhere.device_name = "Other";
  EXPECT_NE(why_not(file.folder(), elsewhere).find("none of the 2 files"), std::string::npos);
  file.json["driver"] = "1.2";
  file.write("another.json");
  const std::string error = usage_error([&] { find_baseline(file.folder(), result_of(1)); });
  EXPECT_NE(error.find("fits.json"), std::string::npos) << error;
  EXPECT_NE(error.find("another.json"), std::string::npos) << error;
}

TEST(Baseline, AFileThatIsNotThereIsNone) {
  EXPECT_EQ(why_not("/nowhere/baseline.json", result_of(1)),
            "there is no file /nowhere/baseline.json");
}

}  // namespace
}  // namespace zl::test
