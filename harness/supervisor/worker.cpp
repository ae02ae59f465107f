#include "supervisor/worker.hpp"

#include <cstdio>
#include <nlohmann/json.hpp>

#include "measure/measure.hpp"
#include "report/console.hpp"
#include "report/result_json.hpp"
#include "supervisor/case_progress.hpp"
#include "supervisor/channel.hpp"
#include "supervisor/device_choice.hpp"
#include "supervisor/device_lock.hpp"
#include "supervisor/phase_watch.hpp"
#include "zl/error.hpp"

namespace zl {
namespace {

/// The result of a case that ended before it was measured.
Result not_measured(const Selected& selected, Verdict verdict, const std::string& message) {
  Result result;
  result.id = selected.id;
  result.columns = selected.columns;
  result.verdict = verdict;
  result.message = message;
  return result;
}

Result no_device(const Selected& selected, bool required, const std::string& reason) {
  if (!required) {
    return not_measured(selected, Verdict::skipped,
                        reason + "; ZL_REQUIRE_DEVICE=1 makes this an error");
  }
  // Neither the kernel nor the harness failed: what was asked for is not here.
  return not_measured(selected, Verdict::usage,
                      reason +
                          ", and ZL_REQUIRE_DEVICE=1 asks for one: check the driver and the "
                          "visible-device variables, or unset it to skip");
}

Result from_error(const Selected& selected, bool device_required, const Error& error) {
  switch (error.errc) {
    case Errc::usage:
      return not_measured(selected, Verdict::usage, error.what());
    case Errc::no_device:
      return no_device(selected, device_required, error.what());
    case Errc::out_of_memory:
      return not_measured(selected, Verdict::skipped, error.what());
    default:
      return not_measured(selected, Verdict::internal, error.what());
  }
}

/// Runs `measure_it` with whatever it throws turned into a result.
template <class F>
Result guarded(const Invocation& invocation, const Selected& selected, const F& measure_it) {
  try {
    return measure_it();
  } catch (const Error& error) {
    return from_error(selected, invocation.options.require_device, error);
  } catch (const std::exception& error) {
    return not_measured(selected, Verdict::internal, error.what());
  }
}

DeviceIdentity chosen(const Invocation& invocation, const Backend& backend) {
  return choose_device(backend.devices(), backend.name(),
                       invocation.environment.resource_variables);
}

Result measure_on(Device& device, const Invocation& invocation, const Selected& selected,
                  CaseProgress& progress) {
  progress.set_device(device.info());
  return progress.described(
      measure(device, *selected.op, selected.id, options_for(invocation, selected), progress));
}

}  // namespace

int run_worker(const Invocation& invocation, const Selected& selected, const Backend& backend) {
  // Lives until the result is sent: closing a device whose context is dead may hang or crash.
  std::unique_ptr<Device> device;
  return run_worker(
      invocation, selected, backend,
      [&](const DeviceIdentity& identity, const FileDescriptor&, CaseProgress& progress) {
        device = backend.open(identity);
        return measure_on(*device, invocation, selected, progress);
      });
}

int run_worker(const Invocation& invocation, const Selected& selected, const Backend& backend,
               const LockedWork& work) {
  Channel channel{FileDescriptor(invocation.worker_fd)};
  CaseProgress progress(invocation, selected, 1, invocation.colours, &channel);
  FileDescriptor lock;
  const Result result = guarded(invocation, selected, [&] {
    const DeviceIdentity identity = chosen(invocation, backend);
    channel.send(
        {{"device",
          {{"ordinal", identity.ordinal}, {"uuid", identity.uuid}, {"name", identity.name}}}});
    channel.wait();
    lock = channel.take_descriptor();
    if (!lock) throw Error(Errc::internal, "the supervisor sent no lock");
    return work(identity, lock, progress);
  });
  std::fflush(nullptr);
  int exit_code = 0;
  try {
    channel.send({{"result", to_json(result)}});
  } catch (const Error& error) {
    std::fprintf(stderr, "zl: %s\n", error.what());
    exit_code = static_cast<int>(Exit::internal);
  }
  return exit_code;
}

Result run_in_process(const Invocation& invocation, const Selected& selected,
                      const Backend& backend) {
  CaseProgress progress(invocation, selected, invocation.text_fd(),
                        colours_on(invocation.text_fd()), nullptr);
  return guarded(invocation, selected, [&]() -> Result {
    const DeviceIdentity identity = chosen(invocation, backend);
    DeviceLock lock(invocation.environment.lock_dir, identity.uuid);
    const auto waiting = [&identity](const std::string& holder) {
      std::fputs(waiting_text(identity, holder).c_str(), stderr);
    };
    const auto deadline = std::chrono::steady_clock::now() + seconds(invocation.limits.lock_wait_s);
    if (!lock.acquire(deadline, waiting)) {
      return not_measured(selected, Verdict::busy, busy_text(identity, lock.holder()));
    }
    std::unique_ptr<Device> device = backend.open(identity);
    Result result = measure_on(*device, invocation, selected, progress);
    if (result.context_dead) {
      // Closing it may hang or crash.
      [[maybe_unused]] Device* abandoned = device.release();
      result.message += "; without --zl_in_process the case is run again without a capture";
    }
    return result;
  });
}

}  // namespace zl
