#include "supervisor/supervise.hpp"

#include <cstdio>

#include "report/marker.hpp"
#include "supervisor/compose.hpp"
#include "supervisor/supervised_run.hpp"

namespace zl {

PhaseWatch::Clock::time_point case_deadline(const Invocation& invocation) {
  return overall_deadline(PhaseWatch::Clock::now(), invocation.limits.timeout_s);
}

Result supervise(const Invocation& invocation, const Selected& selected,
                 PhaseWatch::Clock::time_point deadline, const std::string& program) {
  SignalWatch signals;
  std::optional<DeviceLock> lock;
  const RunContext context{invocation, selected, program, signals, deadline, lock};

  const Result first = SupervisedRun(context, {}).run();
  if (!needs_rerun(first)) return first;

  std::fprintf(stderr, "zl: %s: the device's context died; once more without a capture\n",
               selected.id.run_name().c_str());
  // The graph that killed the context is the one to look at: its file stays.
  const Result second =
      SupervisedRun(context, {"--zl_method=direct", "--zl_capture=off", "--zl_dump_graph="}).run();
  const Result composed = compose(first, second);
  if (composed.verdict == Verdict::capture_poisoned) {
    const std::string& op = invocation.options.marker_op;
    print_marker(invocation.text_fd(), marker_poisoned, op.empty() ? selected.id.op : op,
                 *first.failure);
  }
  return composed;
}

}  // namespace zl
