#include "supervisor/phase_times.hpp"

#include <cstdio>

namespace zl {

void PhaseTimes::enter(Phase phase) {
  if (!told_ || phase_ == phase) return;
  end();
  phase_ = phase;
  since_ = Clock::now();
}

void PhaseTimes::end() {
  if (!phase_) return;
  const std::chrono::duration<double, std::milli> took = Clock::now() - since_;
  std::fprintf(stderr, "zl-bench: %s: %.3f ms\n", std::string(name(*phase_)).c_str(), took.count());
  phase_.reset();
}

}  // namespace zl
