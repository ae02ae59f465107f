#pragma once

#include <functional>
#include <vector>

#include "device/trace_record.hpp"

namespace zl {

/// The kernels, copies and memsets that `work` ran, sorted by start, as CUPTI saw them: of a graph
/// one record for each such node and replay. `work` enqueues and synchronizes; what is still
/// running when it returns makes the trace incomplete. One trace at a time in a process.
///
/// CUPTI is loaded at run time and stays loaded, as its threads do; after the first trace it may
/// slow every later launch, so measure what must not be disturbed before.
///
/// Throws Errc::usage, naming the remedy, where CUPTI is not built in, not found or refused by the
/// driver; Errc::device where it fails, drops a record or has a record without times. What `work`
/// throws passes on. In every case nothing is traced afterwards.
std::vector<TraceRecord> cupti_trace(const std::function<void()>& work);

}  // namespace zl
