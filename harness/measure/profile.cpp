#include "measure/profile.hpp"

#include "zl/error.hpp"

namespace zl {

namespace {

/// Stops the profiler on every path: what follows is not to be in its report.
class ProfiledRange {
 public:
  ProfiledRange(Device& device, const std::string& name) : device_(device) {
    try {
      running_ = marked_ = device_.start_profiler(name);
    } catch (const Error& e) {
      throw refused("start", e);
    }
  }
  ~ProfiledRange() {
    try {
      if (running_) device_.stop_profiler();
    } catch (const Error&) {
      device_.clear_last_error();  // the error of the call is the one to tell
    }
  }
  ProfiledRange(const ProfiledRange&) = delete;
  ProfiledRange& operator=(const ProfiledRange&) = delete;

  void stop() {
    if (!running_) return;
    running_ = false;
    try {
      device_.stop_profiler();
    } catch (const Error& e) {
      throw refused("stop", e);
    }
  }
  /// The backend has marks for a profiler.
  bool marked() const { return marked_; }

 private:
  /// Nothing is wrong with the case then.
  static Error refused(const std::string& what, const Error& e) {
    return {Errc::usage, "--zl_profile: the profiler does not " + what + ": " + e.what()};
  }

  Device& device_;
  bool running_ = false;
  bool marked_ = false;
};

}  // namespace

void profile_one_call(Prepared& p, Result& result) {
  const Stream stream = p.stream.get();
  // As a timed call finds it: operands of its own values, resets made, whatever is cold swept out.
  p.buffers.restore_all_in_place(stream);
  p.calls.reset_all(stream);
  if (p.calls.need_preparation()) p.calls.enqueue_preparation(stream, 0);
  p.device.synchronize();

  const std::string name = result.id.run_name();
  ProfiledRange range(p.device, name);
  p.calls.enqueue(stream, 0);
  p.device.synchronize();
  range.stop();

  result.verdict = Verdict::ok;
  result.message =
      range.marked()
          ? "profiled: one call between the profiler's start and stop, in the range '" + name + "'"
          : "called once after its warm-up; the " + p.device.info().backend +
                " backend has no profiler to start and stop, so one sees the whole process";
  result.message += ". No number: under a profiler none would be true";
}

}  // namespace zl
