#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "cli/invocation.hpp"
#include "measure/result.hpp"

namespace zl {

/// The time limits of one worker.
class PhaseWatch {
 public:
  using Clock = std::chrono::steady_clock;
  enum class Expired { none, phase, lock, overall };

  /// `overall` is the end of everything: of a first worker and of one that runs the case again.
  PhaseWatch(const Limits& limits, Clock::time_point now, Clock::time_point overall);

  void enter(Phase phase, Clock::time_point now);
  /// A sign of life: the phase's limit starts anew.
  void restart(Clock::time_point now);
  void wait_for_lock(Clock::time_point now);
  void lock_taken(Clock::time_point now);

  bool waits_for_lock() const { return waits_for_lock_; }
  Clock::time_point deadline() const;
  Expired check(Clock::time_point now) const;
  /// The phase that the worker is in; before its first: gate.
  Phase phase() const { return phase_.value_or(Phase::gate); }
  /// "phase warmup", "start-up".
  std::string where() const;

 private:
  Clock::duration phase_limit_;
  Clock::duration lock_wait_;
  Clock::time_point overall_;
  Clock::time_point current_;  ///< the limit of the phase or of the wait
  std::optional<Phase> phase_;
  bool waits_for_lock_ = false;
};

PhaseWatch::Clock::duration seconds(double s);

/// The end of a case that starts `now`: a little before `timeout_s`, so that CTest's own limit,
/// which knows no phase, never fires first.
PhaseWatch::Clock::time_point overall_deadline(PhaseWatch::Clock::time_point now, double timeout_s);

}  // namespace zl
