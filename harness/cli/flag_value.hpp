#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace zl {

/// One `--flag=value` of a command line. Each reader throws a usage error that names the flag, the
/// value and what is allowed.
struct FlagValue {
  std::string_view flag;
  std::string_view value;

  /// Index into `allowed`, a list separated by '|'.
  std::size_t choice(std::string_view allowed) const;
  /// A switch: on where nothing follows the name.
  bool on() const;
  /// A finite number in [lowest, highest].
  double number(double lowest, double highest) const;
  std::int64_t integer(std::int64_t lowest, std::int64_t highest) const;
  std::uint64_t natural() const;
  /// Numbers in [0, 1] separated by commas; none where the value is empty.
  std::vector<double> quantiles() const;
  /// Any text but an empty one.
  std::string text(std::string_view what) const;

  /// A file that can be written; empty: none.
  std::string file() const;

  [[noreturn]] void refuse(const std::string& expected) const;
};

/// The parts of `text` between separators, empty ones included.
std::vector<std::string_view> split(std::string_view text, char separator);

}  // namespace zl
