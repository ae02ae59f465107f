#pragma once

#include <optional>
#include <string>
#include <vector>

#include "measure/options.hpp"
#include "measure/result.hpp"
#include "measure/window.hpp"

namespace zl {

/// What timing a case gave, by whichever method.
struct Timing {
  Window window;
  std::optional<Window> sustained;
  std::string cold_by;  ///< "rotation", "flush"; empty where all calls shared warm operands
  std::int64_t n_repeat = 1;
  std::int64_t nodes_per_call = 0;
  bool untrusted = false;
  std::vector<std::string> notes;
};

}  // namespace zl
