#include "cli/invocation.hpp"

#include <algorithm>

#include "cli/flags.hpp"
#include "zl/error.hpp"

namespace zl {
namespace {

FlagValue split_flag(std::string_view argument) {
  const std::size_t equals = argument.find('=');
  if (equals == std::string_view::npos) return {argument, {}};
  return {argument.substr(0, equals), argument.substr(equals + 1)};
}

void apply_flag(Invocation& invocation, std::string_view argument) {
  const FlagValue given = split_flag(argument);
  const auto flag = std::find_if(flags().begin(), flags().end(), [&given](const Flag& candidate) {
    return candidate.name == given.flag;
  });
  if (flag == flags().end()) {
    throw Error(Errc::usage, "unknown argument '" + std::string(argument) +
                                 "': allowed are the flags of --help and --benchmark_*");
  }
  // An empty value is a value for --zl_quantiles=; no '=' at all never is.
  if (!flag->value.empty() && given.flag.size() == argument.size()) {
    given.refuse(std::string(flag->value) + " after '='");
  }
  flag->set(invocation, given);
}

/// A profiler is to see this process, and nothing is measured that could be compared or stored.
void prepare_for_profiler(Invocation& invocation) {
  for (const auto& [flag, file] : {std::pair("--zl_dump_graph", invocation.options.dump_graph),
                                   std::pair("--zl_samples", invocation.report.samples)}) {
    if (file.empty()) continue;
    throw Error(Errc::usage, std::string(flag) + "=" + file +
                                 ": with --zl_profile nothing is measured that it could write: "
                                 "leave out one of the two");
  }
  invocation.in_process = true;
  invocation.options.method = MethodChoice::direct;  // no graph is asked for, or missed
  invocation.gate.baseline.clear();
}

/// The number stays, with the reason not to rely on it.
std::vector<std::string> flaws_of_build(const Declared& declared) {
  std::vector<std::string> flaws;
  if (!declared.unoptimized.empty()) flaws.emplace_back(declared.unoptimized);
  if (detail::device_debug) {
    flaws.emplace_back("device code built for the debugger: leave out nvcc's -G");
  }
  return flaws;
}

}  // namespace

Invocation parse_invocation(const std::vector<std::string>& argv, const Declared& declared,
                            Environment environment) {
  Invocation invocation;
  invocation.argv = argv;
  invocation.options.capture_enabled = environment.capture_enabled;
  invocation.options.require_device = environment.require_device;
  invocation.options.marker_op = environment.marker_op;
  invocation.environment = std::move(environment);
  if (!declared.versus.empty()) invocation.options.versus = std::string(declared.versus.front());
  invocation.options.known_impls = {declared.impls.begin(), declared.impls.end()};
  invocation.options.untrusted_build = flaws_of_build(declared);
  for (const std::string_view flag : declared.flags) apply_flag(invocation, flag);
  for (std::size_t i = 1; i < argv.size(); ++i) {
    if (argv[i] == "-h") {
      invocation.help = true;
    } else if (argv[i].rfind("--benchmark_", 0) == 0) {
      invocation.report.benchmark_args.push_back(argv[i]);
    } else {
      apply_flag(invocation, argv[i]);
    }
  }
  // CTest's command lines name the build's folder, which several runs of one build must not share.
  if (!invocation.report.result_dir.empty() && !invocation.environment.result_dir.empty()) {
    invocation.report.result_dir = invocation.environment.result_dir;
  }
  if (invocation.options.profile) prepare_for_profiler(invocation);
  if (invocation.in_process && !invocation.gate.baseline.empty()) {
    throw Error(Errc::usage,
                "--zl_baseline measures what is suspect again in fresh processes: leave out "
                "--zl_in_process, or give --zl_baseline= without a value");
  }
  if (!invocation.is_worker()) {
    invocation.benchmark = validate_benchmark_flags(invocation.report.benchmark_args);
  }
  return invocation;
}

}  // namespace zl
