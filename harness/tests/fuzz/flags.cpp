// The command line of a zl executable, and the same lines as its environment.
#include <cmath>

#include "cli/case_selection.hpp"
#include "cli/invocation.hpp"
#include "tests/fuzz/contract.hpp"

namespace {

void check(const zl::Invocation& given) {
  const zl::Options& options = given.options;
  bool within = options.warmup_ms >= 0 && options.warmup_cap >= 5 && options.rep_ms >= 0 &&
                given.limits.timeout_s > 0 && given.limits.phase_limit_s > 0 &&
                given.limits.lock_wait_s >= 0 && given.gate.tolerance_pct >= 0;
  for (const double ms : {options.warmup_ms, options.rep_ms, given.limits.timeout_s,
                          given.limits.phase_limit_s, given.limits.lock_wait_s}) {
    within = within && std::isfinite(ms);
  }
  if (options.quantiles) {
    for (const double quantile : *options.quantiles) {
      within = within && quantile >= 0 && quantile <= 1;
    }
  }
  zl::fuzz::promised(within);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::vector<std::string> argv = zl::fuzz::arguments(data, size);
  std::vector<const char*> variables;
  for (const std::string& entry : argv) variables.push_back(entry.c_str());
  variables.push_back(nullptr);
  const auto environment = zl::fuzz::parsed([&] { return zl::read_environment(variables.data()); });

  argv.insert(argv.begin(), "zl_mm_host");
  const auto given = zl::fuzz::parsed(
      [&] { return zl::parse_invocation(argv, {}, environment.value_or(zl::Environment{})); });
  if (given) check(*given);
  return 0;
}
