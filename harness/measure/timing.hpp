#pragma once

#include <optional>
#include <string>
#include <vector>

#include "measure/capture.hpp"
#include "measure/options.hpp"
#include "measure/result.hpp"
#include "measure/window.hpp"

namespace zl {

/// What timing a case gave, by whichever method.
struct Timing {
  Window window;
  std::optional<Window> sustained;
  /// "rotation", "evict", "flush"; empty where all calls shared warm operands.
  std::string cold_by;
  std::string cache_note;                  ///< why not cold
  Overlap overlap = Overlap::as_launched;  ///< of neighbouring calls
  double estimate_ms = 0;                  ///< of a call with its preparation, before the windows
  std::int64_t n_repeat = 1;
  std::int64_t nodes_per_call = 0;
  std::vector<std::string> untrusted;
  std::vector<std::string> notes;
  ClockState clocks;  ///< under the load of the last window
};

}  // namespace zl
