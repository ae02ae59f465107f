#include "supervisor/supervised_run.hpp"

#include <poll.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "report/console.hpp"
#include "report/result_json.hpp"
#include "zl/error.hpp"

namespace zl {
namespace {

constexpr auto lock_poll = std::chrono::milliseconds(20);
/// For the kernel to end a killed worker, and for our reader to take what is left.
constexpr auto grace = std::chrono::seconds(2);

std::vector<std::string> worker_argv(const RunContext& context,
                                     const std::vector<std::string>& extra_flags) {
  std::vector<std::string> argv = context.invocation.argv;
  argv.push_back("--zl_case=" + context.selected.id.run_name());
  if (colours_on(context.invocation.text_fd())) argv.push_back("--zl_colours=on");
  argv.insert(argv.end(), extra_flags.begin(), extra_flags.end());
  return argv;
}

Phase phase_named(const std::string& text) {
  for (int i = 0; i <= static_cast<int>(Phase::command); ++i) {
    if (name(static_cast<Phase>(i)) == text) return static_cast<Phase>(i);
  }
  throw Error(Errc::internal, "unknown phase '" + text + "'");
}

}  // namespace

SupervisedRun::SupervisedRun(const RunContext& context, const std::vector<std::string>& extra_flags)
    : context_(context),
      watch_(context.invocation.limits, Clock::now(), context.overall),
      worker_(context.program, worker_argv(context, extra_flags), context.signals.original_mask()),
      out_(worker_.take_stdout(), context.invocation.text_fd()),
      err_(worker_.take_stderr(), STDERR_FILENO) {}

Result SupervisedRun::run() {
  do {
    wait();
  } while (step());
  end_worker();
  return outcome(record_, context_.selected, context_.invocation.limits);
}

/// Until something can be done, or a limit is due.
void SupervisedRun::wait() {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(watch_.deadline() - Clock::now());
  auto timeout = std::max(left, std::chrono::milliseconds(0));
  if (watch_.waits_for_lock()) timeout = std::min(timeout, lock_poll);
  const auto input = [](const Relay& relay) { return relay.wants_input() ? relay.from() : -1; };
  const auto output = [](const Relay& relay) { return relay.wants_output() ? relay.to() : -1; };
  // poll() skips a negative descriptor.
  pollfd ready[] = {{context_.signals.fd(), POLLIN, 0}, {worker_.channel().fd(), POLLIN, 0},
                    {input(out_), POLLIN, 0},           {input(err_), POLLIN, 0},
                    {output(out_), POLLOUT, 0},         {output(err_), POLLOUT, 0}};
  if (::poll(ready, std::size(ready), static_cast<int>(timeout.count())) <= 0) return;
  if (ready[2].revents != 0) out_.read_some();
  if (ready[3].revents != 0) err_.read_some();
  if (ready[4].revents != 0) out_.write_some();
  if (ready[5].revents != 0) err_.write_some();
}

/// False: the worker has ended or has to.
bool SupervisedRun::step() {
  if (const int signal = context_.signals.take()) {
    worker_.finish(Clock::now() + grace);
    out_.drain(Clock::now() + grace);
    err_.drain(Clock::now() + grace);
    throw Interrupted(signal);
  }
  read_messages();
  if (!record_.broken.empty() || worker_.has_ended()) return false;
  if (watch_.waits_for_lock()) try_lock();
  record_.expired = watch_.check(Clock::now());
  return record_.expired == PhaseWatch::Expired::none;
}

void SupervisedRun::read_messages() {
  Channel& channel = worker_.channel();
  if (channel.fd() < 0) return;
  try {
    const bool open = channel.read_available();
    while (const std::optional<nlohmann::json> message = channel.next()) handle(*message);
    if (!open) channel.close();
  } catch (const Error& error) {
    if (error.errc == Errc::usage) throw;  // the lock's folder
    record_.broken = error.what();
  } catch (const nlohmann::json::exception& error) {
    record_.broken = error.what();
  }
}

void SupervisedRun::handle(const nlohmann::json& message) {
  const Clock::time_point now = Clock::now();
  if (message.contains("device")) {
    meet_device(message.at("device"));
  } else if (message.contains("phase")) {
    watch_.enter(phase_named(message.at("phase").get<std::string>()), now);
  } else if (message.contains("alive")) {
    watch_.restart(now);
  } else if (message.contains("complete")) {
    record_.complete = result_from_json(message.at("complete"));
    watch_.restart(now);
  } else if (message.contains("result")) {
    record_.result = result_from_json(message.at("result"));
    watch_.restart(now);
  } else {
    throw Error(Errc::internal, "unknown message " + message.dump());
  }
}

void SupervisedRun::meet_device(const nlohmann::json& device) {
  DeviceIdentity& identity = record_.device;
  identity.ordinal = device.at("ordinal").get<int>();
  identity.uuid = device.at("uuid").get<std::string>();
  identity.name = device.at("name").get<std::string>();
  if (context_.lock && context_.lock->holds(identity.uuid)) {
    hand_over_lock();
    return;
  }
  context_.lock.emplace(context_.invocation.environment.lock_dir, identity.uuid);
  met_device_ = Clock::now();
  watch_.wait_for_lock(met_device_);
  try_lock();
  if (!watch_.waits_for_lock()) return;
  record_.lock_holder = context_.lock->holder();
  std::fputs(waiting_text(identity, record_.lock_holder).c_str(), stderr);
}

void SupervisedRun::try_lock() {
  if (!context_.lock->try_acquire()) return;
  const Clock::time_point now = Clock::now();
  lock_wait_ = now - met_device_;
  watch_.lock_taken(now);
  hand_over_lock();
}

void SupervisedRun::hand_over_lock() {
  try {
    worker_.channel().send({{"lock", true}}, context_.lock->fd());
  } catch (const Error&) {
    // The worker is dying; how, the next step sees.
  }
}

void SupervisedRun::end_worker() {
  const auto take_place = [this] {
    record_.phase = watch_.phase();
    record_.where = watch_.where();
  };
  // A limit expired where the worker was then, whatever it still says while it is ended.
  const bool expired = record_.expired != PhaseWatch::Expired::none;
  if (expired) take_place();
  record_.ending = worker_.finish(Clock::now() + grace);
  if (record_.broken.empty()) read_messages();
  // One that ended by itself may have told its last phase after it was last listened to.
  if (!expired) take_place();
  const Clock::time_point deadline = std::max(context_.overall, Clock::now() + grace);
  out_.drain(deadline);
  err_.drain(deadline);
}

}  // namespace zl
