#pragma once

#include "measure/result.hpp"

namespace zl {

/// Whether a result asks for a second run: its capture or replay failed and took the context along.
bool needs_rerun(const Result& first);

/// What two runs of a case say together: `first` died under a capture or replay, `second` ran in a
/// fresh process without one.
/// - second measured: capture_poisoned, with no number of its own
/// - second failed, or was skipped and so decides nothing: kernel_failed, naming both
/// - anything else (wrong result, hung, crashed, ...): second's own verdict
Result compose(const Result& first, const Result& second);

}  // namespace zl
