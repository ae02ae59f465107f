#include "command/command_line.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "cli/flag_value.hpp"
#include "cli/flags.hpp"
#include "command/case_types.hpp"
#include "report/json_input.hpp"
#include "zl/error.hpp"

namespace zl {
namespace {

constexpr std::string_view result_placeholder = "{result}";

/// The flags of every zl executable that mean something here; the last two are a worker's.
constexpr std::string_view shared_flags[] = {
    "--zl_case",      "--zl_baseline",    "--zl_tolerance", "--zl_result_dir", "--zl_tags",
    "--zl_timeout_s", "--zl_lock_wait_s", "--help",         "--zl_worker_fd",  "--zl_colours"};

struct OwnFlags {
  std::string op;
  std::map<std::string, std::string> columns;
  std::vector<std::string> command;
  std::string result_file;
};

std::map<std::string, std::string> columns_of(const FlagValue& flag) {
  const std::string expected = "a JSON object of texts";
  try {
    const nlohmann::json json = json_input(flag.value);
    const auto is_text = [](const nlohmann::json& value) { return value.is_string(); };
    if (json.is_object() && std::all_of(json.begin(), json.end(), is_text)) {
      return json.get<std::map<std::string, std::string>>();
    }
  } catch (const Error& error) {
    flag.refuse(expected + ": " + error.what());
  }
  flag.refuse(expected);
}

/// Whether the argument is one of ours; then it is read.
bool take_own(const std::string& argument, OwnFlags* own) {
  const std::size_t equals = argument.find('=');
  if (equals == std::string::npos) return false;
  const FlagValue flag{std::string_view(argument).substr(0, equals),
                       std::string_view(argument).substr(equals + 1)};
  if (flag.flag == "--zl_op") {
    own->op = flag.text("the name of the op");
    if (own->op.find('/') != std::string::npos) flag.refuse("a name without '/'");
  } else if (flag.flag == "--zl_columns") {
    own->columns = columns_of(flag);
  } else if (flag.flag == "--zl_argument") {
    own->command.emplace_back(flag.value);
  } else if (flag.flag == "--zl_result_file") {
    own->result_file = flag.value;
  } else {
    return false;
  }
  return true;
}

bool is_shared(std::string_view argument) {
  const std::string_view flag = argument.substr(0, argument.find('='));
  // There is one case: nothing to list, and nothing to choose from.
  if (flag == "--benchmark_filter" || flag == "--benchmark_list_tests") return false;
  return flag.rfind("--benchmark_", 0) == 0 ||
         std::find(std::begin(shared_flags), std::end(shared_flags), flag) !=
             std::end(shared_flags);
}

[[noreturn]] void refuse_case(const std::string& name, const std::string& why) {
  throw Error(Errc::usage, "--zl_case=" + name + ": " + why);
}

/// [OP/]IMPL/TYPES/SHAPE; a worker is given the form with the op.
CaseId case_of(const std::string& name, const std::string& op, const std::string& backend) {
  std::vector<std::string_view> parts = split(name, '/');
  if (parts.size() == 4 && parts[0] == op) parts.erase(parts.begin());
  if (parts.size() != 3 || parts[0].empty()) refuse_case(name, "expected IMPL/TYPES/SHAPE");
  CaseId id{op, std::string(parts[0]), std::string(parts[1]), std::string(parts[2]), backend};
  std::replace(id.types.begin(), id.types.end(), '-', ':');
  try {
    dtypes_of(id.types);
    parse_shape(id.shape, std::vector<std::string>(split(id.shape, 'x').size(), "axis"));
  } catch (const Error& error) {
    refuse_case(name, error.what());
  }
  return id;
}

void check(const CommandLine& line) {
  const auto names_result = [](const std::string& argument) {
    return argument.find(result_placeholder) != std::string::npos;
  };
  if (line.command.empty()) {
    throw Error(Errc::usage, "no command: it follows '--', as -- python3 time_it.py {result}");
  }
  if (std::none_of(line.command.begin(), line.command.end(), names_result)) {
    throw Error(Errc::usage,
                "the command has no {result}: it stands for the file that the command writes");
  }
}

}  // namespace

CommandLine parse_command_line(const std::vector<std::string>& argv, Environment environment,
                               const std::string& backend) {
  const auto dashes = std::find(argv.begin() + 1, argv.end(), "--");
  OwnFlags own;
  std::vector<std::string> shared = {argv.front()};
  for (auto argument = argv.begin() + 1; argument != dashes; ++argument) {
    if (take_own(*argument, &own)) continue;
    if (!is_shared(*argument)) {
      throw Error(Errc::usage, "unknown argument '" + *argument +
                                   "': allowed are the flags of --help, --benchmark_format, "
                                   "--benchmark_out and the like, and a command after '--'");
    }
    shared.push_back(*argument);
  }
  if (dashes != argv.end()) own.command.insert(own.command.end(), dashes + 1, argv.end());

  CommandLine line;
  line.invocation = parse_invocation(shared, {}, std::move(environment));
  if (line.invocation.help) return line;
  if (own.op.empty()) throw Error(Errc::usage, "--zl_op=OP is missing");
  if (line.invocation.case_name.empty()) {
    throw Error(Errc::usage, "--zl_case=IMPL/TYPES/SHAPE is missing");
  }
  line.selected.id = case_of(line.invocation.case_name, own.op, backend);
  line.selected.columns = std::move(own.columns);
  line.command = std::move(own.command);
  line.result_file = std::move(own.result_file);
  check(line);

  // A command shows no signs of life: only the whole case has a limit.
  line.invocation.limits.phase_limit_s = line.invocation.limits.timeout_s;
  // The supervisor puts more flags behind these, so the command is among them.
  std::vector<std::string>& for_worker = line.invocation.argv;
  for_worker.push_back("--zl_op=" + line.selected.id.op);
  for_worker.push_back("--zl_columns=" + nlohmann::json(line.selected.columns).dump());
  for (const std::string& argument : line.command)
    for_worker.push_back("--zl_argument=" + argument);
  return line;
}

std::string command_help(const std::string& program) {
  std::vector<Flag> shown = {
      {"--zl_op", "OP", "the name of the op", nullptr},
      {"--zl_columns", "JSON", "an object of texts that the result is to hold", nullptr}};
  for (const Flag& flag : flags()) {
    if (!flag.help.empty() && is_shared(flag.name)) shown.push_back(flag);
  }
  return "usage: " + program +
         " --zl_op=OP --zl_case=IMPL/TYPES/SHAPE [flags] -- COMMAND...\n"
         "Runs a command that measures one case by its own means, under the device's lock, and\n"
         "reports what it wrote (docs/commands.md). In the command {impl}, {case} and {result}\n"
         "stand for the implementation, IMPL/TYPES/SHAPE and the file that it has to write.\n" +
         flag_lines(shown) +
         "  --benchmark_*: Google Benchmark's own, as --benchmark_format and --benchmark_out\n"
         "Environment: ZL_REQUIRE_DEVICE=1 (no device is an error, not a skip), ZL_LOCK_DIR,\n"
         "  NO_COLOR, FORCE_COLOR\n";
}

}  // namespace zl
