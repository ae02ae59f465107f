#include "report/samples_csv.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "error_of.hpp"
#include "report/report.hpp"
#include "sample_result.hpp"
#include "scoped_directory.hpp"

namespace zl {
namespace {

using test::sample_result;

TEST(SamplesCsv, HasARowForEachSampleInTheOrderMeasured) {
  EXPECT_EQ(samples_csv(sample_result()),
            "case,window,index,sample_us,calls\n"
            "mm/own/e4m3-bf16/16x4096x7168,burst,0,12,128\n"
            "mm/own/e4m3-bf16/16x4096x7168,burst,1,13,128\n"
            "mm/own/e4m3-bf16/16x4096x7168,burst,2,12.5,128\n"
            "mm/own/e4m3-bf16/16x4096x7168,burst,3,12.5,128\n");
}

TEST(SamplesCsv, NamesTheWindows) {
  Result result = sample_result();
  result.samples_ms = {1};
  result.sustained_samples_ms = {2, 3};
  EXPECT_EQ(samples_csv(result),
            "case,window,index,sample_us,calls\n"
            "mm/own/e4m3-bf16/16x4096x7168,burst,0,1000,128\n"
            "mm/own/e4m3-bf16/16x4096x7168,sustained,0,2000,128\n"
            "mm/own/e4m3-bf16/16x4096x7168,sustained,1,3000,128\n");
  result.sustained_samples_ms.clear();
  result.schedule = "reference";
  EXPECT_NE(samples_csv(result).find(",reference,0,1000,128\n"), std::string::npos);
}

TEST(SamplesCsv, ADirectSampleIsOneCall) {
  Result result = sample_result();
  result.method = Method::direct;
  result.n_repeat = 4;
  EXPECT_NE(samples_csv(result).find(",0,12,1\n"), std::string::npos);
}

TEST(SamplesCsv, KeepsTheDigitsOfASample) {
  Result result = sample_result();
  result.samples_ms = {0.00123456789012};
  EXPECT_NE(samples_csv(result).find(",1.23456789012,"), std::string::npos) << samples_csv(result);
}

TEST(SamplesCsv, RefusesWhatIsNotANumber) {
  Result result = sample_result();
  result.samples_ms = {std::numeric_limits<double>::quiet_NaN()};
  const auto error = test::error_of([&] { samples_csv(result); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->errc, Errc::internal);
}

}  // namespace
}  // namespace zl
