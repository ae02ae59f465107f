#pragma once

#include <optional>
#include <string>

#include "cli/case_selection.hpp"
#include "device/device.hpp"
#include "measure/result.hpp"
#include "supervisor/phase_watch.hpp"
#include "supervisor/worker_process.hpp"

namespace zl {

/// What was seen of one worker.
struct RunRecord {
  DeviceIdentity device;
  std::string lock_holder;  ///< who had the device's lock; empty: it was free
  PhaseWatch::Expired expired = PhaseWatch::Expired::none;
  Phase phase = Phase::gate;  ///< the last one
  std::string where;          ///< the same in words
  std::optional<Result> complete;
  std::optional<Result> result;
  std::optional<Ending> ending;  ///< none: not even SIGKILL ended it
  std::string broken;            ///< why the channel could not be trusted; empty: it could
};

/// Its verdict: the result it sent; else the one that was complete but for extras; else busy, hung,
/// crashed, or internal where it did not keep to the protocol.
Result outcome(const RunRecord& record, const Selected& selected, const Limits& limits);

}  // namespace zl
