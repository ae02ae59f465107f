#include "cli/environment.hpp"

#include <gtest/gtest.h>

#include "usage_error.hpp"

namespace zl {
namespace {

Environment read(std::vector<const char*> variables) {
  variables.push_back(nullptr);
  return read_environment(variables.data());
}

TEST(Environment, SaysNothingWhereItIsEmpty) {
  const Environment empty = read({});
  EXPECT_TRUE(empty.capture_enabled);
  EXPECT_FALSE(empty.require_device);
  EXPECT_FALSE(empty.verbose);
  EXPECT_EQ(empty.lock_dir, "/tmp/zl-bench-locks");
  EXPECT_EQ(empty.result_dir, "");
  EXPECT_EQ(empty.marker_op, "");
  EXPECT_TRUE(empty.resource_variables.empty());
}

TEST(Environment, IsRead) {
  const Environment all =
      read({"ZL_ENABLE_CUDAGRAPH=0", "ZL_REQUIRE_DEVICE=1", "ZL_VERBOSE=1", "ZL_LOCK_DIR=/locks",
            "ZL_RESULT_DIR=/results", "FLAGGEMS_PERF_CURRENT_OP=mm", "CTEST_RESOURCE_GROUP_COUNT=1",
            "CTEST_RESOURCE_GROUP_0_CUDA=id:3,slots:1", "PATH=/bin", "no assignment"});
  EXPECT_FALSE(all.capture_enabled);
  EXPECT_TRUE(all.require_device);
  EXPECT_TRUE(all.verbose);
  EXPECT_EQ(all.lock_dir, "/locks");
  EXPECT_EQ(all.result_dir, "/results");
  EXPECT_EQ(all.marker_op, "mm");
  EXPECT_EQ(all.resource_variables.size(), 2u);
  EXPECT_EQ(all.resource_variables.at("CTEST_RESOURCE_GROUP_0_CUDA"), "id:3,slots:1");
}

TEST(Environment, AnEmptySwitchIsNone) {
  EXPECT_TRUE(read({"ZL_ENABLE_CUDAGRAPH="}).capture_enabled);
  EXPECT_TRUE(read({"ZL_ENABLE_CUDAGRAPH=1"}).capture_enabled);
  EXPECT_FALSE(read({"ZL_REQUIRE_DEVICE="}).require_device);
  EXPECT_FALSE(read({"ZL_REQUIRE_DEVICE=0"}).require_device);
  EXPECT_EQ(read({"ZL_LOCK_DIR="}).lock_dir, "/tmp/zl-bench-locks");
}

TEST(Environment, ASwitchThatIsNeitherIsAUsageError) {
  const std::string error = usage_error([] { read({"ZL_ENABLE_CUDAGRAPH=off"}); });
  expect_mentions(error, "ZL_ENABLE_CUDAGRAPH='off'");
  expect_mentions(error, "0 or 1");
  usage_error([] { read({"ZL_REQUIRE_DEVICE=yes"}); });
}

}  // namespace
}  // namespace zl
