#include "command/measurement.hpp"

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>

#include "measure/quantity.hpp"
#include "measure/statistics.hpp"
#include "report/file_text.hpp"
#include "report/json_input.hpp"
#include "zl/error.hpp"

namespace zl {
namespace {

using Json = nlohmann::json;

constexpr const char* schema = "zl-perf-command/1";
// As many as the harness takes of an op: ten, or three of calls that take long.
constexpr std::size_t least_samples = 10;
constexpr std::size_t least_long_samples = 3;
constexpr double long_call_us = 20e3;
// Each becomes a run of Google Benchmark in the result file.
constexpr std::size_t most_samples = 100000;
constexpr std::uintmax_t most_bytes = 16 << 20;
constexpr std::size_t longest_word = 40;
// What is left of a number that was printed with eight digits.
constexpr double rounding = 1e-7;

[[noreturn]] void refuse(const std::string& what) {
  throw Error(Errc::usage, "the command's result: " + what);
}

[[noreturn]] void refuse_key(const std::string& key, const Json& value,
                             const std::string& expected) {
  refuse(key + " is " + value.dump(-1, ' ', false, Json::error_handler_t::replace).substr(0, 80) +
         ", expected " + expected);
}

/// Whether there is a file; what should not be read as one is refused.
bool is_written(const std::string& path) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::not_found) return false;
  // A pipe could block, a device never end, and a link lead to itself.
  if (!std::filesystem::is_regular_file(status)) refuse("it is no regular file");
  const std::uintmax_t bytes = std::filesystem::file_size(path, error);
  if (!error && bytes > most_bytes) refuse("it has more than 16 MiB");
  return true;
}

Json content(const std::string& path) {
  std::string text;
  try {
    text = file_text(path);
    return json_input(text);
  } catch (const Error& error) {
    std::string why = error.what();
    if (text.find("NaN") != std::string::npos || text.find("Infinity") != std::string::npos) {
      why += " (JSON has no NaN and no Infinity)";
    }
    refuse(why);
  }
}

void check_keys(const Json& json) {
  constexpr const char* known[] = {"schema",  "samples_us",       "method",     "cache",
                                   "cold_by", "calls_per_sample", "latency_us", "bytes",
                                   "flops",   "verified",         "notes",      "skip",
                                   "failed"};
  for (const auto& entry : json.items()) {
    std::string allowed;
    bool found = false;
    for (const char* key : known) {
      found = found || entry.key() == key;
      allowed += (allowed.empty() ? "" : ", ") + std::string(key);
    }
    if (!found) refuse("unknown key '" + entry.key() + "', allowed: " + allowed);
  }
}

std::string text_of(const Json& json, const char* key) {
  if (!json.contains(key)) return "";
  const Json& value = json.at(key);
  if (!value.is_string() || value.get<std::string>().empty()) refuse_key(key, value, "a text");
  return value.get<std::string>();
}

/// One word, so that it can stand in a name: numbers of unlike ones are never compared.
std::string word_of(const Json& json, const char* key) {
  const std::string text = text_of(json, key);
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '_' || c == '-';
  };
  bool is_word = text.size() <= longest_word;
  for (const char c : text) is_word = is_word && plain(c);
  if (!is_word) refuse_key(key, json.at(key), "one word of at most 40 of [A-Za-z0-9._-]");
  return text;
}

std::optional<double> positive(const Json& json, const char* key) {
  if (!json.contains(key)) return std::nullopt;
  const Json& value = json.at(key);
  if (!value.is_number() || !(value.get<double>() > 0)) refuse_key(key, value, "a number above 0");
  return value.get<double>();
}

std::vector<double> samples_of(const Json& json) {
  if (!json.contains("samples_us")) refuse("samples_us is missing: the time of a call, each");
  const Json& list = json.at("samples_us");
  if (!list.is_array()) refuse_key("samples_us", list, "a list of numbers");
  std::vector<double> samples;
  for (const Json& value : list) {
    const std::string name = "samples_us[" + std::to_string(samples.size()) + "]";
    if (!value.is_number()) refuse_key(name, value, "a number");
    const auto us = value.get<double>();
    if (!(us > 0)) {
      throw Error(Errc::untimeable,
                  "the command's result: " + name + " is " + value.dump() + ", which is no time");
    }
    samples.push_back(us);
  }
  const auto count = [&samples] { return "samples_us has " + std::to_string(samples.size()); };
  if (samples.size() > most_samples) refuse(count() + ", allowed: at most 100000");
  const bool few = samples.size() < least_long_samples ||
                   (samples.size() < least_samples && stats::median(samples) < long_call_us);
  if (few) refuse(count() + ", needed: 10, or 3 where a call takes 20 ms and more");
  return samples;
}

void read_cache(const Json& json, CommandMeasurement* m) {
  const std::string cache = text_of(json, "cache");
  if (cache.empty()) refuse(R"(cache is missing: "warm", or "cold" with cold_by)");
  if (cache != "warm" && cache != "cold") refuse_key("cache", json.at("cache"), "warm or cold");
  m->cache = cache == "cold" ? Cache::cold : Cache::warm;
  m->cold_by = word_of(json, "cold_by");
  if (m->cache == Cache::cold && m->cold_by.empty()) {
    refuse("cold_by is missing: a word for what keeps a call's operands out of the cache");
  }
  if (m->cache == Cache::warm && !m->cold_by.empty()) refuse("cold_by is for cache \"cold\"");
}

/// A number that a command works out itself is only held against ours.
void check_latency(const Json& json, const std::vector<double>& samples_us) {
  const std::optional<double> given = positive(json, "latency_us");
  const double median = stats::median(samples_us);
  if (!given || std::abs(*given - median) <= rounding * median) return;
  refuse("latency_us is " + json.at("latency_us").dump() + " and the median of samples_us " +
         rounded(median, "us") + ": leave it out, it is worked out of the samples");
}

std::map<std::string, std::string> notes_of(const Json& json) {
  std::map<std::string, std::string> notes;
  if (!json.contains("notes")) return notes;
  const Json& object = json.at("notes");
  if (!object.is_object()) refuse_key("notes", object, "an object of texts");
  for (const auto& entry : object.items()) {
    if (!entry.value().is_string()) refuse_key("notes." + entry.key(), entry.value(), "a text");
    notes[entry.key()] = entry.value().get<std::string>();
  }
  return notes;
}

}  // namespace

std::optional<CommandMeasurement> read_measurement(const std::string& path) {
  if (!is_written(path)) return std::nullopt;
  const Json json = content(path);
  if (!json.is_object()) refuse("it is no JSON object");
  if (json.value("schema", Json()) != schema) {
    refuse_key("schema", json.value("schema", Json()), std::string("\"") + schema + "\"");
  }
  check_keys(json);

  CommandMeasurement m;
  m.notes = notes_of(json);
  m.skip = text_of(json, "skip");
  m.failed = text_of(json, "failed");
  if (json.contains("verified")) {
    if (!json.at("verified").is_boolean()) {
      refuse_key("verified", json.at("verified"), "true or false");
    }
    m.verified = json.at("verified").get<bool>();
  }
  const bool wrong = m.verified && !*m.verified;
  if (!m.skip.empty() || !m.failed.empty() || wrong) return m;  // there is no number to check

  m.samples_us = samples_of(json);
  check_latency(json, m.samples_us);
  m.method = word_of(json, "method");
  if (m.method.empty()) refuse("method is missing: a word for how the samples were taken");
  read_cache(json, &m);
  if (const std::optional<double> calls = positive(json, "calls_per_sample")) {
    const bool whole = json.at("calls_per_sample").is_number_integer();
    if (!whole || *calls > 1e9) {
      refuse_key("calls_per_sample", json.at("calls_per_sample"), "a whole number up to 1e9");
    }
    m.calls_per_sample = json.at("calls_per_sample").get<std::int64_t>();
  }
  m.bytes = positive(json, "bytes");
  m.flops = positive(json, "flops");
  return m;
}

}  // namespace zl
