#include "cli/flags.hpp"

#include <algorithm>
#include <limits>

namespace zl {
namespace {

constexpr std::string_view methods = "auto|graph|direct";
constexpr std::string_view caches = "auto|cold|warm|mixed";
constexpr std::string_view schedules = "adaptive|reference";
constexpr std::string_view switches = "auto|on|off";
constexpr std::string_view modes = "mean|median|min|max|all";
// A day: longer is a typing error, and far from where clocks overflow.
constexpr double longest_s = 86400;
constexpr double longest_ms = 1000 * longest_s;
// Shorter than a millisecond no limit can be told from a worker that is just starting.
constexpr double shortest_limit_s = 0.001;

/// `allowed` lists the enumerators in their order.
template <class E>
E choose(const FlagValue& v, std::string_view allowed) {
  return static_cast<E>(v.choice(allowed));
}

}  // namespace

const std::vector<Flag>& flags() {
  using I = Invocation;
  using V = FlagValue;
  static const std::vector<Flag> all = {
      {"--zl_case", "IMPL/TYPES/SHAPE", "measure this case, as own/f16/384x384x384",
       [](I& i, const V& v) { i.case_name = v.text("IMPL/TYPES/SHAPE"); }},
      {"--zl_method", methods, "replays of a captured graph, or events around each call",
       [](I& i, const V& v) { i.options.method = choose<MethodChoice>(v, methods); }},
      {"--zl_cache", caches, "what is in L2 when a call starts",
       [](I& i, const V& v) { i.options.cache = choose<CacheChoice>(v, caches); }},
      {"--zl_schedule", schedules, "short bursts, or the fixed schedule",
       [](I& i, const V& v) { i.options.schedule = choose<ScheduleKind>(v, schedules); }},
      {"--zl_sustained", switches, "also time under continuous load",
       [](I& i, const V& v) { i.options.sustained = choose<SustainedChoice>(v, switches); }},
      {"--zl_warmup_ms", "F", "warm-up time; 0: the default of 25",
       [](I& i, const V& v) { i.options.warmup_ms = v.number(0, longest_ms); }},
      {"--zl_warmup_cap", "N", "most warm-up calls, at least 5 (200)",
       [](I& i, const V& v) { i.options.warmup_cap = static_cast<int>(v.integer(5, 1000000)); }},
      {"--zl_rep_ms", "F", "reference schedule: length of a replay (100)",
       [](I& i, const V& v) { i.options.rep_ms = v.number(0, longest_ms); }},
      {"--zl_quantiles", "Q,Q,...", "reference schedule: quantiles of the samples, as 0.5,0.2",
       [](I& i, const V& v) { i.options.quantiles = v.quantiles(); }},
      {"--zl_return_mode", modes, "reference schedule: the statistic",
       [](I& i, const V& v) { i.options.return_mode = choose<ReturnMode>(v, modes); }},
      {"--zl_seed", "N", "of the inputs and of drawn numbers (0)",
       [](I& i, const V& v) { i.options.seed = v.natural(); }},
      {"--zl_deny_capture", "", "this op is not to be captured",
       [](I& i, const V& v) { i.options.deny_capture = v.on(); }},
      {"--zl_versus", "IMPL", "give the speedup over this implementation",
       [](I& i, const V& v) { i.options.versus = std::string(v.value); }},
      {"--zl_verify", "cupti", "also trace replays with the profiler, and compare",
       [](I& i, const V& v) { i.options.cross_check = v.choice("cupti") == 0; }},
      {"--zl_profile", "", "one call between a profiler's start and stop; no number",
       [](I& i, const V& v) { i.options.profile = v.on(); }},
      {"--zl_dump_graph", "FILE", "write the timed graph, or what was captured, as .dot",
       [](I& i, const V& v) { i.options.dump_graph = v.file(); }},
      {"--zl_samples", "FILE", "write every sample as .csv",
       [](I& i, const V& v) {
         i.report.samples = v.file();
         i.options.keep_sustained = !i.report.samples.empty();
       }},
      {"--zl_strict", "", "a rate above the device's peak is a failure",
       [](I& i, const V& v) { i.options.strict = v.on(); }},
      {"--zl_baseline", "PATH", "fail where slower than this baseline file or folder",
       [](I& i, const V& v) { i.gate.baseline = std::string(v.value); }},
      {"--zl_tolerance", "PCT", "by how much; never less than the baseline's noise (5)",
       [](I& i, const V& v) { i.gate.tolerance_pct = v.number(0, 1000); }},
      {"--zl_result_dir", "DIR", "write one result file per case",
       [](I& i, const V& v) { i.report.result_dir = std::string(v.value); }},
      {"--zl_tags", "", "print CTest's measurement tags",
       [](I& i, const V& v) { i.report.tags = v.on(); }},
      {"--zl_timeout_s", "F", "time of a case, lock included (300)",
       [](I& i, const V& v) { i.limits.timeout_s = v.number(shortest_limit_s, longest_s); }},
      {"--zl_phase_limit_s", "F", "time of a phase (60)",
       [](I& i, const V& v) { i.limits.phase_limit_s = v.number(shortest_limit_s, longest_s); }},
      {"--zl_lock_wait_s", "F", "time to wait for the device's lock (240)",
       [](I& i, const V& v) { i.limits.lock_wait_s = v.number(0, longest_s); }},
      {"--zl_in_process", "", "no supervisor: for debuggers and profilers",
       [](I& i, const V& v) { i.in_process = v.on(); }},
      {"--help", "", "this text (also -h)", [](I& i, const V& v) { i.help = v.on(); }},
      {"--zl_worker_fd", "N", "",
       [](I& i, const V& v) {
         i.worker_fd = static_cast<int>(v.integer(0, std::numeric_limits<int>::max()));
       }},
      {"--zl_colours", "off|on", "", [](I& i, const V& v) { i.colours = v.on(); }},
      {"--zl_capture", "off|on", "",
       [](I& i, const V& v) { i.options.capture_enabled = v.choice("off|on") == 1; }},
  };
  return all;
}

std::string flag_lines(const std::vector<Flag>& shown) {
  const auto written = [](const Flag& flag) {
    std::string text(flag.name);
    if (!flag.value.empty()) text.append("=").append(flag.value);
    return text;
  };
  std::size_t width = 0;
  for (const Flag& flag : shown) width = std::max(width, written(flag).size());

  std::string text;
  for (const Flag& flag : shown) {
    if (flag.help.empty()) continue;
    std::string line = "  " + written(flag);
    line.resize(width + 4, ' ');
    text += line + std::string(flag.help) + "\n";
  }
  return text;
}

std::string help_text(const std::string& program) {
  std::string text = "usage: " + program +
                     " [flags]\n"
                     "Measures an op. Without --zl_case or --benchmark_filter: lists its cases.\n" +
                     flag_lines(flags());
  text +=
      "  --benchmark_*: Google Benchmark's own, as --benchmark_filter and --benchmark_out\n"
      "Environment: ZL_ENABLE_CUDAGRAPH=0 (no capture), ZL_REQUIRE_DEVICE=1 (no device is an\n"
      "  error, not a skip), ZL_LOCK_DIR, ZL_VERBOSE=1, NO_COLOR, FORCE_COLOR\n";
  return text;
}

}  // namespace zl
