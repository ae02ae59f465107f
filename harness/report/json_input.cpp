#include "report/json_input.hpp"

#include <string>

#include "zl/error.hpp"

namespace zl {
namespace {

using Json = nlohmann::json;

constexpr int deepest = 64;
// The parser's message shows the text it stopped in, however long that is.
constexpr std::size_t longest_message = 400;

bool is_allowed(int depth, Json::parse_event_t /*event*/, Json& /*value*/) {
  if (depth > deepest) {
    throw Error(Errc::usage, "it is JSON nested deeper than " + std::to_string(deepest));
  }
  return true;
}

}  // namespace

Json json_input(std::string_view text) {
  try {
    return Json::parse(text, is_allowed);
  } catch (const Json::exception& error) {
    std::string why = error.what();
    if (why.size() > longest_message) why = why.substr(0, longest_message) + "...";
    throw Error(Errc::usage, "it cannot be read as JSON: " + why);
  }
}

}  // namespace zl
