#include "supervisor/compose.hpp"

#include <cstdio>

namespace zl {
namespace {

std::string text(const Result& result) {
  if (!result.failure) return result.message;
  return std::string(name(result.failure->phase)) + ": " + result.failure->reason + " (" +
         result.failure->detail + ")";
}

/// `first` without what it may have measured before its context died.
Result without_numbers(const Result& first) {
  Result result = first;
  result.metrics.clear();
  result.samples_ms.clear();
  result.sustained_samples_ms.clear();
  result.context_dead = false;
  return result;
}

Result poisoned(const Result& first, const Result& second) {
  Result result = without_numbers(first);
  result.verdict = Verdict::capture_poisoned;
  result.message = "capturing this op killed the device's context (" + text(first) +
                   "). Without a capture, in a fresh process, it runs";
  const auto latency = second.metrics.find("latency_us");
  if (latency != second.metrics.end()) {
    char number[64];
    std::snprintf(number, sizeof number, ": %.6g us a call, direct", latency->second);
    result.message += number;
  }
  result.message += ". Measure that with ZL_ENABLE_CUDAGRAPH=0, or for good: DENY_CAPTURE " +
                    first.id.backend + " in zl_add_perf_test(OP " + first.id.op + " ...)";
  return result;
}

Result failed_twice(const Result& first, const Result& second) {
  Result result = without_numbers(first);
  result.verdict = Verdict::kernel_failed;
  result.message = "with a capture the device's context died in " + text(first) +
                   "; without one, in a fresh process, ";
  if (second.verdict == Verdict::skipped) {
    result.message += "the case was skipped (" + second.message +
                      "), so it is undecided whether the kernel or its capture is at fault";
  } else {
    result.message += "it failed in " + text(second);
    if (second.failure) result.failure = second.failure;
  }
  return result;
}

}  // namespace

bool needs_rerun(const Result& first) {
  if (!first.context_dead || !first.failure) return false;
  const Phase phase = first.failure->phase;
  return phase == Phase::capture || phase == Phase::instantiate || phase == Phase::replay;
}

Result compose(const Result& first, const Result& second) {
  if (second.verdict == Verdict::ok) return poisoned(first, second);
  if (second.verdict == Verdict::kernel_failed || second.verdict == Verdict::skipped) {
    return failed_twice(first, second);
  }
  Result result = second;
  if (!result.message.empty()) result.message += " ";
  result.message += "(run again without a capture, which had killed the device's context in ";
  result.message += text(first);
  result.message += ")";
  return result;
}

}  // namespace zl
