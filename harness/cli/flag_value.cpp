#include "cli/flag_value.hpp"

#include <charconv>
#include <cstdio>

#include "report/atomic_file.hpp"
#include "zl/error.hpp"

namespace zl {
namespace {

/// Whether all of `text` is one number that T holds.
template <class T>
bool read_number(std::string_view text, T* value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *value);
  return error == std::errc() && end == text.data() + text.size();
}

std::string shortest(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", value);
  return text;
}

}  // namespace

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0;;) {
    const std::size_t next = text.find(separator, at);
    parts.push_back(text.substr(at, next - at));
    if (next == std::string_view::npos) return parts;
    at = next + 1;
  }
}

void FlagValue::refuse(const std::string& expected) const {
  throw Error(Errc::usage, std::string(flag) + "=" + std::string(value) + ": expected " + expected);
}

std::size_t FlagValue::choice(std::string_view allowed) const {
  const std::vector<std::string_view> names = split(allowed, '|');
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == value) return i;
  }
  refuse("one of " + std::string(allowed));
}

bool FlagValue::on() const { return value.empty() || choice("off|on") == 1; }

double FlagValue::number(double lowest, double highest) const {
  double number = 0;
  // The negated test is false for NaN too.
  if (!read_number(value, &number) || !(number >= lowest && number <= highest)) {
    refuse("a number from " + shortest(lowest) + " to " + shortest(highest));
  }
  return number;
}

std::int64_t FlagValue::integer(std::int64_t lowest, std::int64_t highest) const {
  std::int64_t number = 0;
  if (!read_number(value, &number) || number < lowest || number > highest) {
    refuse("a whole number from " + std::to_string(lowest) + " to " + std::to_string(highest));
  }
  return number;
}

std::uint64_t FlagValue::natural() const {
  std::uint64_t number = 0;
  if (!read_number(value, &number)) refuse("a whole number from 0 to 18446744073709551615");
  return number;
}

std::vector<double> FlagValue::quantiles() const {
  std::vector<double> all;
  if (value.empty()) return all;
  for (const std::string_view part : split(value, ',')) {
    double quantile = 0;
    if (!read_number(part, &quantile) || !(quantile >= 0 && quantile <= 1)) {
      refuse("numbers from 0 to 1 separated by commas, not '" + std::string(part) + "'");
    }
    all.push_back(quantile);
  }
  return all;
}

std::string FlagValue::text(std::string_view what) const {
  if (value.empty()) refuse(std::string(what));
  return std::string(value);
}

std::string FlagValue::file() const {
  const std::string path(value);
  const std::string wanted = path.empty() ? "" : why_unwritable(path);
  if (!wanted.empty()) refuse(wanted);
  return path;
}

}  // namespace zl
