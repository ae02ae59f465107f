#include "supervisor/device_choice.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <string_view>

#include "zl/error.hpp"

namespace zl {
namespace {

using Variables = std::map<std::string, std::string>;

constexpr const char* count_name = "CTEST_RESOURCE_GROUP_COUNT";
constexpr const char* group_name = "CTEST_RESOURCE_GROUP_0";

const std::string& value_of(const Variables& variables, const std::string& name) {
  static const std::string absent;
  const auto found = variables.find(name);
  return found == variables.end() ? absent : found->second;
}

[[noreturn]] void refuse(const Variables& variables, const std::string& name,
                         const std::string& why) {
  const bool set = variables.contains(name);
  throw Error(Errc::usage,
              name + (set ? "='" + value_of(variables, name) + "'" : " is not set") + ": " + why);
}

/// Takes a decimal number off the front of `text`.
bool take_number(std::string_view* text, int* value) {
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), *value);
  if (error != std::errc() || *value < 0) return false;
  text->remove_prefix(static_cast<std::size_t>(end - text->data()));
  return true;
}

bool take(std::string_view* text, std::string_view prefix) {
  if (text->substr(0, prefix.size()) != prefix) return false;
  text->remove_prefix(prefix.size());
  return true;
}

/// The ordinal in exactly one "id:N,slots:M".
int allocated_ordinal(const Variables& variables, const std::string& name) {
  std::string_view rest = value_of(variables, name);
  int ordinal = 0;
  int slots = 0;
  const bool well_formed = take(&rest, "id:") && take_number(&rest, &ordinal) &&
                           take(&rest, ",slots:") && take_number(&rest, &slots) && rest.empty();
  if (!well_formed) {
    refuse(variables, name, "expected one device as 'id:N,slots:M', N its number");
  }
  return ordinal;
}

}  // namespace

const DeviceIdentity& choose_device(const std::vector<DeviceIdentity>& visible,
                                    const std::string& backend, const Variables& variables) {
  if (visible.empty()) throw Error(Errc::no_device, "no visible " + backend + " device");
  if (!variables.contains(count_name)) return visible.front();

  if (value_of(variables, count_name) != "1") {
    refuse(variables, count_name, "a case runs on one device: expected 1 resource group");
  }
  std::string type = backend;
  for (char& c : type) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  const std::string name = std::string(group_name) + "_" + type;
  if (!variables.contains(name)) {
    refuse(variables, group_name, "expected the resource type '" + backend + "' and " + name);
  }
  const int ordinal = allocated_ordinal(variables, name);
  const auto found =
      std::find_if(visible.begin(), visible.end(),
                   [ordinal](const DeviceIdentity& device) { return device.ordinal == ordinal; });
  if (found == visible.end()) {
    refuse(variables, name,
           "not among the " + std::to_string(visible.size()) +
               " visible devices: CTest's resource specification is of another machine or of other "
               "visible devices; make it again (zl_doctor_" +
               backend + " --resource-spec=FILE, or the build where ZL_RESOURCE_SPEC is auto)");
  }
  return *found;
}

}  // namespace zl
