#include "report/summary.hpp"

#include <optional>

#include "measure/quantity.hpp"
#include "report/utf8.hpp"

namespace zl {
namespace {

std::string duration(double us) {
  if (us < 1e3) return rounded(us, "us");
  if (us < 1e6) return rounded(us / 1e3, "ms");
  return rounded(us / 1e6, "s");
}

std::optional<double> metric(const Result& result, const char* name) {
  const auto found = result.metrics.find(name);
  if (found == result.metrics.end()) return std::nullopt;
  return found->second;
}

std::string how(const Result& r) {
  std::string text = r.statistic + " of " + std::to_string(r.samples_ms.size()) +
                     (r.samples_ms.size() == 1 ? " sample, " : " samples, ");
  text += std::string(name(r.method)) + ", " + std::string(name(r.cache));
  if (!r.cold_by.empty()) text += " by " + r.cold_by;
  return text;
}

std::string measured(const Result& r) {
  std::string line;
  if (const auto latency = metric(r, "latency_us")) {
    line = duration(*latency);
    if (const auto half_width = metric(r, "ci_pct"))
      line += " \u00b1 " + rounded(*half_width, "%");
    else if (const auto spread = metric(r, "cv_pct"))
      line += ", spread " + rounded(*spread, "%");
    if (r.on_stand_in()) line += " on a STAND-IN";
    if (!r.untrusted.empty()) line += " UNTRUSTED";
    if (!r.implausible.empty()) line += " IMPLAUSIBLE";
  } else {
    line = "no single latency";
  }
  line += " (" + how(r) + ")";
  if (const auto rate = metric(r, "bandwidth_GBps")) line += " | " + rounded(*rate, "GB/s");
  if (const auto rate = metric(r, "compute_TFLOPS")) line += " | " + rounded(*rate, "TFLOP/s");
  if (const auto peak = metric(r, "peak_pct")) line += " | " + rounded(*peak, "% of peak");
  if (const auto speedup = metric(r, "speedup")) line += " | " + rounded(*speedup, "x");
  if (r.capture != Capture::clean && !r.capture_reason.empty())
    line += " | capture " + std::string(name(r.capture)) + ": " + r.capture_reason;
  if (!r.cache_note.empty()) line += " | " + r.cache_note;
  if (r.verified == "replay-only") line += " | not verified: the case has no expect()";
  for (const std::string& why : r.untrusted) line += " | untrusted: " + why;
  if (!r.implausible.empty()) line += " | implausible: " + r.implausible;
  if (r.gate && r.verdict == Verdict::ok) {
    line += " | gate " + std::string(name(r.gate->outcome));
    if (!r.gate->reason.empty()) line += ": " + r.gate->reason;
  }
  if (r.cross_check) {
    line += " | profiler: span " + rounded(r.cross_check->span_us, "us") + ", busy " +
            rounded(r.cross_check->busy_us, "us") + ", gap " +
            rounded(r.cross_check->gap_us, "us") + ", replayed in " +
            rounded(r.cross_check->replay_us, "us") + " (" +
            rounded(r.cross_check->slowdown_pct, "% slower than before)");
  }
  return line;
}

}  // namespace

std::string summary_line(const Result& result, bool colours) {
  std::string line = result.id.run_name() + ": ";
  const bool ok = result.verdict == Verdict::ok;
  if (result.is_measured()) line += measured(result) + (ok ? "" : " | ");
  if (!ok) line += std::string(name(result.verdict));
  if (!result.message.empty()) line += (ok ? " | " : ": ") + result.message;
  line = one_line_utf8(line);
  if (!colours || (ok && result.untrusted.empty() && result.implausible.empty())) return line;
  const bool yellow = ok || result.verdict == Verdict::skipped;
  return (yellow ? "\x1b[33m" : "\x1b[31m") + line + "\x1b[0m";
}

}  // namespace zl
