#pragma once

#include <string>

#include "cli/case_selection.hpp"
#include "cli/invocation.hpp"
#include "measure/result.hpp"
#include "supervisor/phase_watch.hpp"

namespace zl {

/// When a case that starts now has to be over, in all its processes.
PhaseWatch::Clock::time_point case_deadline(const Invocation& invocation);

/// Measures one case in a worker process, under the device's lock and the invocation's limits, and
/// once more in a fresh one where the first worker's context died under a capture. Every way in
/// which a worker can end is a verdict. Throws Interrupted after SIGINT, SIGTERM or SIGHUP, and
/// zl::Error where a worker cannot be started or the lock's file not be opened.
///
/// `program` is the worker's: this executable itself, which finds out by --zl_worker_fd.
Result supervise(const Invocation& invocation, const Selected& selected,
                 PhaseWatch::Clock::time_point deadline,
                 const std::string& program = "/proc/self/exe");

}  // namespace zl
