#include <fstream>
#include <nlohmann/json.hpp>

#include "zl/error.hpp"
#include "zl/module.hpp"

namespace zl {
namespace {

using Json = nlohmann::json;

[[noreturn]] void fail(const std::filesystem::path& file, const std::string& why) {
  throw Error(Errc::usage, file.string() + ": " + why);
}

unsigned number(const std::filesystem::path& file, const Json& json, const char* key) {
  const auto found = json.find(key);
  if (found == json.end() || !found->is_number_unsigned() || *found > 1u << 20) {
    fail(file,
         std::string("not the metadata of a kernel that Triton compiled: no number '") + key + "'");
  }
  return found->get<unsigned>();
}

/// Of what older versions of Triton do not know: 0 there.
unsigned number_or_zero(const std::filesystem::path& file, const Json& json, const char* key) {
  return json.contains(key) ? number(file, json, key) : 0;
}

}  // namespace

TritonMetadata TritonMetadata::read(const std::filesystem::path& file) {
  std::ifstream in(file);
  if (!in) fail(file, "cannot be read");
  const Json json = Json::parse(in, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) fail(file, "is not a JSON object");
  const auto name = json.find("name");
  if (name == json.end() || !name->is_string()) {
    fail(file, "not the metadata of a kernel that Triton compiled: no text 'name'");
  }
  if (number_or_zero(file, json, "num_ctas") > 1) {
    fail(file, "the kernel is launched in clusters (num_ctas > 1), which is not supported");
  }
  TritonMetadata found;
  found.name = name->get<std::string>();
  const unsigned warp = json.contains("warp_size") ? number(file, json, "warp_size") : 32;
  found.threads = warp * number(file, json, "num_warps");
  found.shared_bytes = number(file, json, "shared");
  // Since 3.3 and 3.4: a pointer each, also where no space is needed.
  for (const char* key : {"global_scratch_size", "profile_scratch_size"}) {
    if (!json.contains(key)) continue;
    ++found.scratch_parameters;
    if (number(file, json, key) > 0) {
      fail(file, std::string("the kernel needs work space (") + key +
                     " > 0), which is not "
                     "supported");
    }
  }
  return found;
}

}  // namespace zl
