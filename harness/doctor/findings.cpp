#include <algorithm>
#include <nlohmann/json.hpp>

#include "doctor/checks.hpp"
#include "report/utf8.hpp"

namespace zl::doctor {

std::string_view name(Status status) {
  switch (status) {
    case Status::passed:
      return "passed";
    case Status::failed:
      return "FAILED";
    case Status::unknown:
      return "unknown";
  }
  return "";
}

std::string table(const std::string& device, const std::vector<Finding>& findings, bool colours) {
  std::size_t width = 0;
  for (const Finding& f : findings) width = std::max(width, f.check.size());
  std::string lines = device + "\n";
  for (const Finding& f : findings) {
    const std::string_view colour = !colours                     ? ""
                                    : f.status == Status::passed ? "\x1b[32m"
                                    : f.status == Status::failed ? "\x1b[31m"
                                                                 : "\x1b[33m";
    std::string status(name(f.status));
    status.resize(8, ' ');
    std::string check = f.check;
    check.resize(width + 2, ' ');
    lines += "  " + std::string(colour) + status + (colour.empty() ? "" : "\x1b[0m") + check +
             one_line_utf8(f.found) + "\n";
    if (!f.remedy.empty()) lines += std::string(width + 12, ' ') + one_line_utf8(f.remedy) + "\n";
  }
  return lines;
}

std::string json(const DeviceIdentity& device, const std::string& backend,
                 const std::vector<Finding>& findings) {
  nlohmann::json checks = nlohmann::json::array();
  for (const Finding& f : findings) {
    checks.push_back({{"check", f.check},
                      {"status", f.status == Status::failed ? "failed" : name(f.status)},
                      {"found", valid_utf8(f.found)},
                      {"remedy", valid_utf8(f.remedy)}});
  }
  return nlohmann::json{{"backend", backend},
                        {"device", valid_utf8(device.name)},
                        {"uuid", valid_utf8(device.uuid)},
                        {"passed", all_passed(findings)},
                        {"checks", checks}}
             .dump(2) +
         "\n";
}

}  // namespace zl::doctor
