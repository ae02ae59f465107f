#pragma once

#include <exception>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/case_selection.hpp"
#include "cli/invocation.hpp"
#include "measure/result.hpp"
#include "supervisor/device_lock.hpp"
#include "supervisor/phase_watch.hpp"
#include "supervisor/relay.hpp"
#include "supervisor/run_outcome.hpp"
#include "supervisor/signal_watch.hpp"
#include "supervisor/worker_process.hpp"

namespace zl {

/// A signal asked the process to end; its worker is dead. Not an error: the exit code is
/// 128 + signal.
struct Interrupted : std::exception {
  explicit Interrupted(int number) : signal(number) {}
  const char* what() const noexcept override { return "interrupted"; }
  int signal;
};

/// What the runs of one case share.
struct RunContext {
  const Invocation& invocation;
  const Selected& selected;
  std::string program;  ///< of the worker
  SignalWatch& signals;
  PhaseWatch::Clock::time_point overall;
  std::optional<DeviceLock>& lock;  ///< held from the first worker's device to the case's end
};

/// One worker from its start to its end, and what came of it.
class SupervisedRun {
 public:
  /// `extra_flags` come after those of the invocation.
  SupervisedRun(const RunContext& context, const std::vector<std::string>& extra_flags);
  /// Throws Interrupted.
  Result run();
  /// How long the device was another process's.
  PhaseWatch::Clock::duration lock_wait() const { return lock_wait_; }

 private:
  using Clock = PhaseWatch::Clock;

  void wait();
  bool step();
  void read_messages();
  void handle(const nlohmann::json& message);
  void meet_device(const nlohmann::json& device);
  void try_lock();
  void hand_over_lock();
  void end_worker();

  RunContext context_;
  PhaseWatch watch_;
  WorkerProcess worker_;
  Relay out_;
  Relay err_;
  RunRecord record_;
  Clock::time_point met_device_;
  Clock::duration lock_wait_{};
};

}  // namespace zl
