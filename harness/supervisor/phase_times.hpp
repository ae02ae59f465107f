#pragma once

#include <chrono>
#include <optional>

#include "measure/result.hpp"

namespace zl {

/// How long each phase of a case took, on standard error: ZL_VERBOSE=1.
class PhaseTimes {
 public:
  /// Not `told`: nothing is printed.
  explicit PhaseTimes(bool told) : told_(told) {}
  ~PhaseTimes() { end(); }
  PhaseTimes(const PhaseTimes&) = delete;
  PhaseTimes& operator=(const PhaseTimes&) = delete;

  void enter(Phase phase);

 private:
  using Clock = std::chrono::steady_clock;
  void end();

  bool told_;
  std::optional<Phase> phase_;
  Clock::time_point since_;
};

}  // namespace zl
