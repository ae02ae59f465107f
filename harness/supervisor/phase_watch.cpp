#include "supervisor/phase_watch.hpp"

#include <algorithm>

namespace zl {

PhaseWatch::Clock::duration seconds(double s) {
  return std::chrono::duration_cast<PhaseWatch::Clock::duration>(std::chrono::duration<double>(s));
}

PhaseWatch::Clock::time_point overall_deadline(PhaseWatch::Clock::time_point now,
                                               double timeout_s) {
  // Time to start, kill, reap and report, on a busy machine too.
  constexpr double longest_margin_s = 5;
  return now + seconds(timeout_s - std::min(longest_margin_s, timeout_s / 4));
}

PhaseWatch::PhaseWatch(const Limits& limits, Clock::time_point now, Clock::time_point overall)
    : phase_limit_(seconds(limits.phase_limit_s)),
      lock_wait_(seconds(limits.lock_wait_s)),
      overall_(overall),
      current_(now + phase_limit_) {}

void PhaseWatch::enter(Phase phase, Clock::time_point now) {
  phase_ = phase;
  restart(now);
}

void PhaseWatch::restart(Clock::time_point now) {
  if (!waits_for_lock_) current_ = now + phase_limit_;
}

void PhaseWatch::wait_for_lock(Clock::time_point now) {
  waits_for_lock_ = true;
  current_ = now + lock_wait_;
}

void PhaseWatch::lock_taken(Clock::time_point now) {
  waits_for_lock_ = false;
  restart(now);
}

PhaseWatch::Clock::time_point PhaseWatch::deadline() const { return std::min(current_, overall_); }

PhaseWatch::Expired PhaseWatch::check(Clock::time_point now) const {
  if (now < deadline()) return Expired::none;
  if (waits_for_lock_) return Expired::lock;
  return now >= overall_ ? Expired::overall : Expired::phase;
}

std::string PhaseWatch::where() const {
  return phase_ ? "phase " + std::string(name(*phase_)) : "start-up";
}

}  // namespace zl
