#include "doctor/resource_spec.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace zl::doctor {
namespace {

nlohmann::json units(const std::vector<DeviceIdentity>& devices) {
  const auto document = nlohmann::json::parse(resource_spec("cuda", devices));
  EXPECT_EQ(document.at("version"), nlohmann::json({{"major", 1}, {"minor", 0}}));
  EXPECT_EQ(document.at("local").size(), 1u);
  return document.at("local").at(0).at("cuda");
}

TEST(ResourceSpec, HasASlotOnEachVisibleDevice) {
  const auto two = units({{0, "GPU-a", "H200"}, {1, "GPU-b", "H200"}});
  EXPECT_EQ(two, nlohmann::json::parse(R"([{"id": "0", "slots": 1}, {"id": "1", "slots": 1}])"));
}

TEST(ResourceSpec, NamesDevicesByTheirOrdinal) {
  EXPECT_EQ(units({{3, "GPU-a", "H200"}}).at(0).at("id"), "3");
}

TEST(ResourceSpec, HasOneForTestsThatFindNoDevice) {
  EXPECT_EQ(units({}), nlohmann::json::parse(R"([{"id": "0", "slots": 1}])"));
}

TEST(ResourceSpec, TypesOfBackendsAreDistinct) {
  const auto document = nlohmann::json::parse(resource_spec("musa", {{0, "", ""}}));
  EXPECT_TRUE(document.at("local").at(0).contains("musa"));
  EXPECT_FALSE(document.at("local").at(0).contains("cuda"));
}

}  // namespace
}  // namespace zl::doctor
