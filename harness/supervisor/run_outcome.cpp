#include "supervisor/run_outcome.hpp"

#include <csignal>
#include <cstdio>

#include "supervisor/device_lock.hpp"

namespace zl {
namespace {

std::string in_seconds(double s) {
  char text[32];
  std::snprintf(text, sizeof text, "%g s", s);
  return text;
}

std::string out_of_time(const RunRecord& record, const Limits& limits) {
  if (record.expired == PhaseWatch::Expired::overall) {
    return record.where + " was not over when the case's " + in_seconds(limits.timeout_s) +
           " ended; raise TIMEOUT (--zl_timeout_s)";
  }
  return record.where + " showed no sign of life for " + in_seconds(limits.phase_limit_s) +
         "; if it only is slow, raise --zl_phase_limit_s";
}

std::string death(const RunRecord& record) {
  if (!record.ending) return "could not be reaped";
  std::string text = record.ending->text();
  if (!record.ending->by_signal) text += " and no result";
  if (record.ending->by_signal && record.ending->code == SIGKILL) {
    text += " (not by us; the system may have run out of memory)";
  }
  return text;
}

std::string reason(const RunRecord& record) {
  if (record.expired == PhaseWatch::Expired::overall) return "TimeoutExceeded";
  if (record.expired == PhaseWatch::Expired::phase) return "PhaseLimitExceeded";
  return record.ending && record.ending->by_signal ? record.ending->name() : "ExitWithoutResult";
}

}  // namespace

Result outcome(const RunRecord& record, const Selected& selected, const Limits& limits) {
  if (record.result) return *record.result;

  const bool in_time = record.expired == PhaseWatch::Expired::none;
  std::string why;
  if (!record.broken.empty()) {
    why = "the worker's message could not be read: " + record.broken;
  } else {
    why = in_time ? "the worker was " + death(record) + " in " + record.where
                  : out_of_time(record, limits);
  }
  if (!record.ending) why += "; not even SIGKILL ended the worker, which keeps the device's lock";
  if (record.complete) {
    Result result = *record.complete;
    result.metrics.erase("speedup");
    result.speedup_reason = "the comparison did not end: " + why;
    return result;
  }

  Result result;
  result.id = selected.id;
  result.columns = selected.columns;
  result.device_name = record.device.name;
  result.device_uuid = record.device.uuid;
  result.message = why;
  if (!record.broken.empty()) {
    result.verdict = Verdict::internal;
  } else if (record.expired == PhaseWatch::Expired::lock) {
    result.verdict = Verdict::busy;
    result.message = busy_text(record.device, record.lock_holder);
  } else {
    result.verdict = in_time ? Verdict::crashed : Verdict::hung;
    result.failure = Failure{record.phase, reason(record), why};
  }
  return result;
}

}  // namespace zl
