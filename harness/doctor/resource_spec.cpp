#include "doctor/resource_spec.hpp"

#include <nlohmann/json.hpp>

namespace zl::doctor {

std::string resource_spec(const std::string& backend, const std::vector<DeviceIdentity>& devices) {
  using Json = nlohmann::ordered_json;
  Json units = Json::array();
  const auto add = [&units](int ordinal) {
    units.push_back({{"id", std::to_string(ordinal)}, {"slots", 1}});
  };
  for (const DeviceIdentity& device : devices) add(device.ordinal);
  if (devices.empty()) add(0);
  Json local = Json::object();
  local[backend] = std::move(units);
  Json document;
  document["version"] = {{"major", 1}, {"minor", 0}};
  document["local"] = Json::array({std::move(local)});
  return document.dump(1) + "\n";
}

}  // namespace zl::doctor
