#pragma once

#include <functional>

#include "cli/case_selection.hpp"
#include "cli/invocation.hpp"
#include "device/device.hpp"
#include "measure/result.hpp"
#include "supervisor/case_progress.hpp"
#include "supervisor/file_descriptor.hpp"

namespace zl {

/// The worker's side of supervise(): chooses the device, waits for its lock before it creates a
/// context, measures, and sends the result. Returns the process's exit code, 0 where a result was
/// sent; the caller ends with _exit, since a dead context must not be torn down.
int run_worker(const Invocation& invocation, const Selected& selected, const Backend& backend);

/// What a worker does with a device whose lock it has.
using LockedWork =
    std::function<Result(const DeviceIdentity& device, const FileDescriptor& lock, CaseProgress&)>;
/// The same for other work than a measurement in this process.
int run_worker(const Invocation& invocation, const Selected& selected, const Backend& backend,
               const LockedWork& work);

/// The same in this process and without limits, for debuggers and profilers. A context that dies
/// is not tried again.
Result run_in_process(const Invocation& invocation, const Selected& selected,
                      const Backend& backend);

}  // namespace zl
