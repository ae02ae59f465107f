#pragma once

#include "measure/options.hpp"
#include "measure/result.hpp"
#include "zl/registry.hpp"

namespace zl {

/// Measures one case: the order of work of docs/how-a-number-is-made.md from the gate to the
/// summary. Never throws for what can be said in a result: every failure is a verdict.
/// `columns` and the device's identity are filled by the caller.
Result measure(Device& device, const Op& op, const CaseId& id, const Options& options,
               Progress& progress);

}  // namespace zl
