#include "supervisor/supervise.hpp"

#include <chrono>
#include <cstdio>
#include <optional>
#include <vector>

#include "report/marker.hpp"
#include "supervisor/compose.hpp"
#include "supervisor/supervised_run.hpp"

namespace zl {

PhaseWatch::Clock::time_point case_deadline(const Invocation& invocation) {
  return overall_deadline(PhaseWatch::Clock::now(), invocation.limits.timeout_s);
}

namespace {

/// `waited`: for the device, by its runs.
Result run_case(const Invocation& invocation, const Selected& selected,
                PhaseWatch::Clock::time_point deadline, const std::string& program,
                PhaseWatch::Clock::duration* waited) {
  SignalWatch signals;
  std::optional<DeviceLock> lock;
  const RunContext context{invocation, selected, program, signals, deadline, lock};

  const auto run = [&](const std::vector<std::string>& extra_flags) {
    SupervisedRun one(context, extra_flags);
    Result result = one.run();
    *waited += one.lock_wait();
    return result;
  };

  const Result first = run({});
  if (!needs_rerun(first)) return first;

  std::fprintf(stderr, "zl: %s: the device's context died; once more without a capture\n",
               selected.id.run_name().c_str());
  // The graph that killed the context is the one to look at: its file stays.
  const Result second = run({"--zl_method=direct", "--zl_capture=off", "--zl_dump_graph="});
  const Result composed = compose(first, second);
  if (composed.verdict == Verdict::capture_poisoned) {
    const std::string& op = invocation.options.marker_op;
    print_marker(invocation.text_fd(), marker_poisoned, op.empty() ? selected.id.op : op,
                 *first.failure);
  }
  return composed;
}

}  // namespace

Result supervise(const Invocation& invocation, const Selected& selected,
                 PhaseWatch::Clock::time_point deadline, const std::string& program) {
  const PhaseWatch::Clock::time_point begin = PhaseWatch::Clock::now();
  PhaseWatch::Clock::duration waited{};
  Result result = run_case(invocation, selected, deadline, program, &waited);
  const std::chrono::duration<double> wall = PhaseWatch::Clock::now() - begin - waited;
  result.wall_s = wall.count();
  return result;
}

}  // namespace zl
