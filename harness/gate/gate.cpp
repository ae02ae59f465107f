#include "gate/gate.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <vector>

#include "gate/baseline.hpp"
#include "measure/quantity.hpp"
#include "measure/statistics.hpp"

namespace zl {
namespace {

constexpr std::size_t least_runs = 10;
/// Makes a median absolute deviation one standard deviation of a normal distribution.
constexpr double mad_to_sigma = 1.4826;
constexpr double noise_sigmas = 4;
/// A baseline whose own noise asks for a wider limit than this tells nothing.
constexpr double most_noise_pct = 10;
constexpr int measurements = 3;

double latency_us(const Result& result) { return result.metrics.at("latency_us"); }

Gate without(Gate::Outcome outcome, const std::string& reason) {
  Gate gate;
  gate.outcome = outcome;
  gate.reason = reason;
  return gate;
}

bool has_method_and_cache(const std::vector<BaselineRun>& runs, const Result& result) {
  return std::any_of(runs.begin(), runs.end(), [&](const BaselineRun& run) {
    return run.method == name(result.method) && run.cache == name(result.cache);
  });
}

/// The medians of the runs that obtained their number as the result did.
std::vector<double> medians_of_kind(const std::vector<BaselineRun>& runs, const Result& result) {
  std::vector<double> medians;
  for (const BaselineRun& run : runs) {
    if (run.method == name(result.method) && run.cache == name(result.cache) &&
        run.cold_by == result.cold_by && run.statistic == result.statistic &&
        run.schedule == result.schedule) {
      medians.push_back(run.median_us);
    }
  }
  return medians;
}

/// The limit out of the baseline's runs, or too_noisy.
Gate limit_of(const std::vector<double>& medians, double tolerance_pct) {
  Gate gate;
  gate.runs = static_cast<std::int64_t>(medians.size());
  gate.baseline_us = stats::median(medians);
  std::vector<double> deviations;
  for (const double median : medians) deviations.push_back(std::abs(median - gate.baseline_us));
  const double noise_us = noise_sigmas * mad_to_sigma * stats::median(deviations);
  gate.limit_us = gate.baseline_us + std::max(tolerance_pct / 100 * gate.baseline_us, noise_us);
  gate.outcome = Gate::Outcome::passed;
  if (noise_us > most_noise_pct / 100 * gate.baseline_us) {
    gate.outcome = Gate::Outcome::too_noisy;
    gate.reason = "nothing was compared: 4 x 1.4826 x MAD of the baseline's runs is " +
                  rounded(100 * noise_us / gate.baseline_us, "%") + " of their median, at most " +
                  rounded(most_noise_pct, "%") + " is allowed; make it of quieter runs";
  }
  return gate;
}

/// One measurement against the baseline: passed where the latency may still be above the limit.
Gate compare(const Result& result, const GateOptions& options, const std::string& today) {
  if (result.on_stand_in()) {
    return without(Gate::Outcome::no_baseline, "measured on a stand-in, " + result.device_name);
  }
  const auto found = find_baseline(options.baseline, result);
  if (const auto* why = std::get_if<std::string>(&found)) {
    return without(Gate::Outcome::no_baseline, *why);
  }
  const Baseline& baseline = std::get<Baseline>(found);
  if (today > baseline.expires) {
    return without(Gate::Outcome::no_baseline, "it expired on " + baseline.expires);
  }
  const std::string key = baseline_key(result);
  const auto runs = baseline.cases.find(key);
  if (runs == baseline.cases.end()) {
    return without(Gate::Outcome::no_baseline, "no case " + key + " in " + baseline.path);
  }
  const auto too_few = [&](std::size_t count, const std::string& kind) {
    return without(Gate::Outcome::no_baseline, std::to_string(count) + " runs" + kind + ", " +
                                                   std::to_string(least_runs) + " are needed");
  };
  if (runs->second.size() < least_runs) return too_few(runs->second.size(), "");
  if (!has_method_and_cache(runs->second, result)) {
    const BaselineRun& last = runs->second.back();
    return without(Gate::Outcome::changed, "measured as " + std::string(name(result.method)) +
                                               ", " + std::string(name(result.cache)) +
                                               ", which no run of the baseline was (" +
                                               last.method + ", " + last.cache + ")");
  }
  const std::vector<double> medians = medians_of_kind(runs->second, result);
  if (medians.size() < least_runs) return too_few(medians.size(), " of this kind");
  return limit_of(medians, options.tolerance_pct);
}

/// Whether a measurement speaks against the case.
bool is_suspect(const Result& result, const Gate& gate) {
  if (gate.outcome == Gate::Outcome::changed) return true;
  return gate.outcome == Gate::Outcome::passed && latency_us(result) > gate.limit_us;
}

std::string list(const std::vector<double>& tried) {
  std::string text;
  for (const double us : tried) text += (text.empty() ? "" : ", ") + rounded(us, "us");
  return text;
}

/// The verdict of a case all of whose measurements were suspect.
void convict(Gate& gate, bool trusted, Result& result) {
  const bool changed = gate.outcome == Gate::Outcome::changed;
  if (!changed) {
    gate.reason = list(gate.tried) + " in three processes: above the limit of " +
                  rounded(gate.limit_us, "us") + " (" + rounded(gate.baseline_us, "us") + " in " +
                  std::to_string(gate.runs) + " runs of the baseline)";
  }
  if (!trusted) {
    gate.outcome = Gate::Outcome::untrusted;
    gate.reason += ", but not to be relied on";
    return;
  }
  gate.outcome = changed ? Gate::Outcome::changed : Gate::Outcome::regression;
  result.verdict = changed ? Verdict::changed : Verdict::regression;
  result.message = gate.reason;
  if (!changed) result.message += "; ci/ab.py decides whether the change did it";
}

}  // namespace

Result gated(Result first, const GateOptions& options, const std::string& today,
             const std::function<Result()>& again) {
  if (options.baseline.empty() || first.verdict != Verdict::ok || !first.has_latency()) {
    return first;
  }
  Gate gate = compare(first, options, today);
  std::vector<double> tried = {latency_us(first)};
  bool trusted = first.untrusted.empty();
  bool suspect = is_suspect(first, gate);
  while (suspect && tried.size() < measurements) {
    const Result next = again();
    if (next.verdict == Verdict::skipped) {
      gate.outcome = Gate::Outcome::untrusted;
      gate.reason = "suspect, and could not be measured again: " + next.message;
      break;
    }
    if (next.verdict != Verdict::ok || !next.has_latency()) return next;
    tried.push_back(latency_us(next));
    trusted = trusted && next.untrusted.empty();
    // Each against the runs of its own kind.
    const Gate other = compare(next, options, today);
    suspect = is_suspect(next, other);
    if (suspect) continue;
    gate = other;
    if (gate.reason.empty()) gate.reason = list(tried) + ": not all suspect";
  }
  gate.tried = tried;
  if (tried.size() == measurements && suspect) convict(gate, trusted, first);
  first.gate = gate;
  return first;
}

std::string today() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  std::array<char, 16> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%d", &parts);
  return text.data();
}

}  // namespace zl
