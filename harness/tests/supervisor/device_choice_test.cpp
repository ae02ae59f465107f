#include "supervisor/device_choice.hpp"

#include <gtest/gtest.h>

#include "zl/error.hpp"

namespace zl {
namespace {

using Variables = std::map<std::string, std::string>;

const std::vector<DeviceIdentity> three = {{0, "a", "A"}, {1, "b", "B"}, {2, "c", "C"}};

Variables allocation(const std::string& devices) {
  return {{"CTEST_RESOURCE_GROUP_COUNT", "1"},
          {"CTEST_RESOURCE_GROUP_0", "cuda"},
          {"CTEST_RESOURCE_GROUP_0_CUDA", devices}};
}

std::string refusal(const Variables& variables) {
  try {
    choose_device(three, "cuda", variables);
  } catch (const Error& error) {
    EXPECT_EQ(error.errc, Errc::usage);
    return error.what();
  }
  return "";
}

TEST(DeviceChoice, IsTheFirstVisibleOneWithoutAnAllocation) {
  EXPECT_EQ(choose_device(three, "cuda", {}).uuid, "a");
}

TEST(DeviceChoice, IsTheAllocatedOne) {
  EXPECT_EQ(choose_device(three, "cuda", allocation("id:2,slots:1")).uuid, "c");
  EXPECT_EQ(choose_device(three, "cuda", allocation("id:1,slots:100")).uuid, "b");
}

TEST(DeviceChoice, WithoutADeviceSaysSo) {
  try {
    choose_device({}, "cuda", {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.errc, Errc::no_device);
  }
}

TEST(DeviceChoice, ShowsAnAllocationThatItCannotFollow) {
  for (const std::string value :
       {"", "id:1", "id:,slots:1", "id:gpu0,slots:1", "id:1,slots:1;id:2,slots:1", "id:1,slots:x",
        "id:-1,slots:1", "id:1,slots:1 ", "id:99999999999,slots:1", "id:3,slots:1"}) {
    EXPECT_NE(refusal(allocation(value)).find("CTEST_RESOURCE_GROUP_0_CUDA='" + value + "'"),
              std::string::npos)
        << refusal(allocation(value));
  }
}

TEST(DeviceChoice, SaysWhatToDoWhereTheSpecificationIsOfOtherDevices) {
  EXPECT_NE(refusal(allocation("id:3,slots:1")).find("zl_doctor_cuda --resource-spec=FILE"),
            std::string::npos);
}

TEST(DeviceChoice, ShowsAnAllocationOfSomethingElse) {
  Variables musa = {{"CTEST_RESOURCE_GROUP_COUNT", "1"},
                    {"CTEST_RESOURCE_GROUP_0", "musa"},
                    {"CTEST_RESOURCE_GROUP_0_MUSA", "id:0,slots:1"}};
  EXPECT_NE(refusal(musa).find("CTEST_RESOURCE_GROUP_0='musa'"), std::string::npos);
  Variables two = allocation("id:0,slots:1");
  two["CTEST_RESOURCE_GROUP_COUNT"] = "2";
  EXPECT_NE(refusal(two).find("CTEST_RESOURCE_GROUP_COUNT='2'"), std::string::npos);
}

}  // namespace
}  // namespace zl
