#include "report/benchmark_flags.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <functional>
#include <regex>
#include <utility>

#include "report/atomic_file.hpp"
#include "zl/error.hpp"

namespace zl {
namespace {

[[noreturn]] void refuse(const std::string& source, const std::string& value,
                         const std::string& allowed) {
  throw Error(Errc::usage, source + "=" + value + ": expected " + allowed);
}

using Setter = std::function<void(BenchmarkFlags&, const std::string& source, const std::string&)>;

Setter boolean(bool BenchmarkFlags::*member) {
  return [member](BenchmarkFlags& flags, const std::string& source, const std::string& value) {
    std::string lower = value;
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    const auto is_one_of = [&lower](std::initializer_list<const char*> words) {
      return std::find(words.begin(), words.end(), lower) != words.end();
    };
    if (is_one_of({"1", "t", "y", "true", "yes", "on"})) {
      flags.*member = true;
    } else if (is_one_of({"0", "f", "n", "false", "no", "off"})) {
      flags.*member = false;
    } else {
      refuse(source, value, "true or false");
    }
  };
}

Setter choice(std::string BenchmarkFlags::*member, std::vector<std::string> allowed) {
  return [member, allowed = std::move(allowed)](BenchmarkFlags& flags, const std::string& source,
                                                const std::string& value) {
    if (std::find(allowed.begin(), allowed.end(), value) == allowed.end()) {
      std::string list;
      for (const std::string& word : allowed) list += (list.empty() ? "" : ", ") + word;
      refuse(source, value, "one of " + list);
    }
    flags.*member = value;
  };
}

// std::regex recurses for each character and each group, and overflows the stack of a process at
// about 80000 of the one or 10000 of the other, with a sanitizer far earlier.
constexpr std::size_t longest_filter = 1000;
constexpr std::ptrdiff_t most_groups = 100;

/// The filter's expression without its sign, compiled the way Google Benchmark does.
std::regex compiled(std::string_view filter) {
  std::string expression(filter);
  if (!expression.empty() && expression[0] == '-') expression.erase(0, 1);
  const auto groups = std::count(expression.begin(), expression.end(), '(');
  if (expression.size() > longest_filter || groups > most_groups) {
    throw Error(Errc::usage, "--benchmark_filter: it has " + std::to_string(expression.size()) +
                                 " characters and " + std::to_string(groups) +
                                 " groups, allowed: at most " + std::to_string(longest_filter) +
                                 " and " + std::to_string(most_groups));
  }
  try {
    return std::regex(expression, std::regex_constants::extended);
  } catch (const std::regex_error& e) {
    throw Error(Errc::usage, "--benchmark_filter=" + std::string(filter) +
                                 ": not an extended regular expression: " + e.what());
  }
}

bool matches_all(std::string_view filter) { return filter.empty() || filter == "all"; }

void set_filter(BenchmarkFlags& flags, const std::string&, const std::string& value) {
  compiled(value);
  flags.filter = value;
}

void set_out(BenchmarkFlags& flags, const std::string& source, const std::string& value) {
  const std::string wanted = value.empty() ? "" : why_unwritable(value);
  if (!wanted.empty()) refuse(source, value, wanted);
  flags.out = value;
}

void set_context(BenchmarkFlags& flags, const std::string& source, const std::string& value) {
  std::size_t begin = 0;
  while (begin < value.size()) {
    const std::size_t end = std::min(value.find(',', begin), value.size());
    const std::string pair = value.substr(begin, end - begin);
    if (std::count(pair.begin(), pair.end(), '=') != 1 || pair.front() == '=')
      refuse(source, value, "key=value,...");
    begin = end + 1;
  }
  flags.context = value;
}

struct LibraryFlag {
  std::string name;
  Setter set;
  bool boolean = false;
};

const std::vector<LibraryFlag>& known_flags() {
  static const std::vector<LibraryFlag> flags = {
      {"filter", set_filter},
      {"list_tests", boolean(&BenchmarkFlags::list_tests), true},
      {"format", choice(&BenchmarkFlags::format, {"console", "json", "csv"})},
      {"out", set_out},
      {"out_format", choice(&BenchmarkFlags::out_format, {"json", "console", "csv"})},
      {"color", choice(&BenchmarkFlags::color, {"auto", "true", "false", "yes", "no", "1", "0"})},
      {"counters_tabular", boolean(&BenchmarkFlags::counters_tabular), true},
      {"report_aggregates_only", boolean(&BenchmarkFlags::report_aggregates_only), true},
      {"display_aggregates_only", boolean(&BenchmarkFlags::display_aggregates_only), true},
      {"context", set_context},
      {"time_unit", choice(&BenchmarkFlags::time_unit, {"ns", "us", "ms", "s"})},
  };
  return flags;
}

struct Refused {
  const char* name;
  const char* instead;
};

/// Flags of how Google Benchmark itself measures.
constexpr Refused refused_flags[] = {
    {"repetitions", "--zl_schedule and --zl_rep_ms rule how many samples are taken"},
    {"min_time", "use --zl_rep_ms with --zl_schedule=reference"},
    {"min_warmup_time", "use --zl_warmup_ms"},
    {"enable_random_interleaving", "use --zl_versus to interleave two implementations"},
    {"perf_counters", "use a profiler with --zl_in_process"},
    {"dry_run", "use --benchmark_list_tests to see what would run"},
};

const LibraryFlag* find_flag(std::string_view name) {
  for (const LibraryFlag& flag : known_flags()) {
    if (flag.name == name) return &flag;
  }
  return nullptr;
}

void read_environment(BenchmarkFlags& flags) {
  for (const LibraryFlag& flag : known_flags()) {
    std::string variable = "BENCHMARK_" + flag.name;
    std::transform(variable.begin(), variable.end(), variable.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    const char* value = std::getenv(variable.c_str());
    if (value != nullptr && *value != '\0') flag.set(flags, variable, value);
  }
}

}  // namespace

BenchmarkFlags validate_benchmark_flags(const std::vector<std::string>& args) {
  constexpr std::string_view prefix = "--benchmark_";
  BenchmarkFlags flags;
  read_environment(flags);
  for (const std::string& arg : args) {
    const std::size_t equals = std::min(arg.find('='), arg.size());
    const std::string source = arg.substr(0, equals);
    const bool ours = source.rfind(prefix, 0) == 0;
    const std::string name = ours ? source.substr(prefix.size()) : "";
    for (const Refused& refused : refused_flags) {
      if (name == refused.name)
        throw Error(Errc::usage,
                    source + " has no effect on samples measured by zl-bench: " + refused.instead);
    }
    const LibraryFlag* flag = find_flag(name);
    if (flag == nullptr) throw Error(Errc::usage, "unknown flag " + source);
    const bool has_value = equals < arg.size();
    if (!has_value && !flag->boolean) throw Error(Errc::usage, source + " needs a value");
    flag->set(flags, source, has_value ? arg.substr(equals + 1) : "true");
  }
  return flags;
}

bool filter_matches(std::string_view filter, std::string_view run_name) {
  if (matches_all(filter)) return true;
  const bool found = std::regex_search(run_name.begin(), run_name.end(), compiled(filter));
  return found != (filter[0] == '-');
}

std::vector<std::size_t> filtered(std::string_view filter,
                                  const std::vector<std::string>& run_names) {
  std::vector<std::size_t> matching;
  for (std::size_t i = 0; i < run_names.size(); ++i) {
    if (filter_matches(filter, run_names[i])) matching.push_back(i);
  }
  if (matching.empty()) {
    throw Error(Errc::usage, "--benchmark_filter=" + std::string(filter) + " matches none of " +
                                 std::to_string(run_names.size()) +
                                 " cases; --benchmark_list_tests lists them");
  }
  return matching;
}

}  // namespace zl
