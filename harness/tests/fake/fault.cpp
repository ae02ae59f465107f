#include "tests/fake/fault.hpp"

#include <sstream>

#include "zl/error.hpp"

namespace zl::fake {

std::vector<Fault> parse_faults(std::string_view text) {
  std::vector<Fault> faults;
  std::istringstream list{std::string(text)};
  std::string entry;
  while (std::getline(list, entry, ';')) {
    std::istringstream words(entry);
    std::string word;
    Fault fault;
    while (words >> word) {
      const std::string key = word.substr(0, word.find('='));
      const std::string value = key.size() == word.size() ? "" : word.substr(key.size() + 1);
      if (key == "call") {
        fault.call = value;
      } else if (key == "phase") {
        fault.phase = value;
      } else if (key == "skip") {
        fault.skip = std::stoi(value);
      } else if (key == "times") {
        fault.times = std::stoi(value);
      } else if (key == "code") {
        fault.code = std::stoi(value);
      } else if (key == "kills") {
        fault.kills = true;
      } else if (key == "hang") {
        fault.hang = true;
      } else if (key == "crash") {
        fault.crash = true;
      } else {
        throw Error(Errc::internal, "fault list: unknown word '" + word + "'");
      }
    }
    if (!fault.call.empty()) faults.push_back(fault);
  }
  return faults;
}

}  // namespace zl::fake
