#include "measure/result.hpp"

#include <algorithm>

namespace zl {

std::string_view name(Method method) {
  switch (method) {
    case Method::graph:
      return "graph";
    case Method::direct:
      return "direct";
    case Method::command:
      return "command";
  }
  return "";
}

std::string_view name(Cache cache) {
  switch (cache) {
    case Cache::cold:
      return "cold";
    case Cache::warm:
      return "warm";
    case Cache::mixed:
      return "mixed";
  }
  return "";
}

std::string_view name(Capture capture) {
  switch (capture) {
    case Capture::clean:
      return "clean";
    case Capture::fallback:
      return "fallback";
    case Capture::denied:
      return "denied";
    case Capture::off:
      return "off";
    case Capture::unsupported:
      return "unsupported";
  }
  return "";
}

std::string_view name(Phase phase) {
  switch (phase) {
    case Phase::gate:
      return "gate";
    case Phase::denylist:
      return "denylist";
    case Phase::sync:
      return "sync";
    case Phase::warmup:
      return "warmup";
    case Phase::verify:
      return "verify";
    case Phase::capture:
      return "capture";
    case Phase::instantiate:
      return "instantiate";
    case Phase::replay:
      return "replay";
    case Phase::direct:
      return "direct";
    case Phase::command:
      return "command";
  }
  return "";
}

std::string_view name(Verdict verdict) {
  switch (verdict) {
    case Verdict::ok:
      return "ok";
    case Verdict::wrong_result:
      return "wrong_result";
    case Verdict::kernel_failed:
      return "kernel_failed";
    case Verdict::capture_poisoned:
      return "capture_poisoned";
    case Verdict::hung:
      return "hung";
    case Verdict::crashed:
      return "crashed";
    case Verdict::untimeable:
      return "untimeable";
    case Verdict::skipped:
      return "skipped";
    case Verdict::busy:
      return "busy";
    case Verdict::no_graph:
      return "no_graph";
    case Verdict::usage:
      return "usage";
    case Verdict::changed:
      return "changed";
    case Verdict::regression:
      return "regression";
    case Verdict::internal:
      return "internal";
  }
  return "";
}

std::string_view name(Gate::Outcome outcome) {
  switch (outcome) {
    case Gate::Outcome::passed:
      return "passed";
    case Gate::Outcome::no_baseline:
      return "no_baseline";
    case Gate::Outcome::too_noisy:
      return "too_noisy";
    case Gate::Outcome::untrusted:
      return "untrusted";
    case Gate::Outcome::changed:
      return "changed";
    case Gate::Outcome::regression:
      return "regression";
  }
  return "";
}

Exit exit_code(Verdict verdict) {
  switch (verdict) {
    case Verdict::ok:
      return Exit::ok;
    case Verdict::wrong_result:
      return Exit::wrong_result;
    case Verdict::kernel_failed:
      return Exit::kernel_failed;
    case Verdict::capture_poisoned:
      return Exit::capture_poisoned;
    case Verdict::hung:
      return Exit::hung;
    case Verdict::crashed:
      return Exit::crashed;
    case Verdict::untimeable:
      return Exit::untimeable;
    case Verdict::skipped:
      return Exit::skipped;
    case Verdict::busy:
      return Exit::busy;
    case Verdict::no_graph:
      return Exit::no_graph;
    case Verdict::usage:
      return Exit::usage;
    case Verdict::changed:
    case Verdict::regression:
      return Exit::regression;
    case Verdict::internal:
      return Exit::internal;
  }
  return Exit::internal;
}

namespace {

std::string file_safe(std::string types) {
  std::replace(types.begin(), types.end(), ':', '-');
  return types;
}

}  // namespace

std::string CaseId::run_name() const {
  return op + "/" + impl + "/" + file_safe(types) + "/" + shape;
}

std::string CaseId::test_name() const {
  return "perf." + backend + "." + op + "." + impl + "." + file_safe(types) + "." + shape;
}

}  // namespace zl
