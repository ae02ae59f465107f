// zl_scripted: a zl executable with its own main(), supervisor and reports, whose measure() does
// what the implementation's name says.

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <map>
#include <thread>

#include "flood_text.hpp"
#include "measure/measure.hpp"
#include "zl/error.hpp"

namespace zl {
namespace {

struct Run {
  Device& device;
  const CaseId& id;
  const Options& options;
  Progress& progress;

  Result ended(Verdict verdict, const std::string& message = "") const {
    Result result;
    result.id = id;
    result.verdict = verdict;
    result.message = message;
    if (verdict == Verdict::ok) {
      result.method = Method::direct;
      result.statistic = "median";
      result.schedule = "adaptive";
      result.n_repeat = 1;
      result.samples_ms = {0.0125, 0.0125, 0.0125};
      result.metrics["latency_us"] = 12.5;
    }
    return result;
  }
  Result failed(Verdict verdict, Phase phase, const std::string& reason) const {
    Result result = ended(verdict, reason + " in a script");
    result.failure = Failure{phase, reason, "scriptCall: it was told to"};
    return result;
  }
};

using Script = std::function<Result(const Run&)>;

std::string file_of_test() {
  const char* path = std::getenv("ZL_SCRIPT_FILE");
  return path != nullptr ? path : "";
}

/// Tells the test that the measurement has begun, and in which process.
void sign_in() {
  if (file_of_test().empty()) return;
  std::ofstream(file_of_test() + ".new") << ::getpid();
  ::rename((file_of_test() + ".new").c_str(), file_of_test().c_str());
}

[[noreturn]] void hang(const Run& run, Phase phase) {
  run.progress.phase(phase);
  sign_in();
  for (;;) ::pause();
}

[[noreturn]] void die(int signal) {
  ::signal(signal, SIG_DFL);  // a sanitizer may have its own handler
  ::raise(signal);
  std::abort();
}

void sleep_ms(std::int64_t ms) { std::this_thread::sleep_for(std::chrono::milliseconds(ms)); }

/// Ok only if nobody else does the same at the same time.
Result alone(const Run& run) {
  const int fd = ::open(file_of_test().c_str(), O_CREAT | O_EXCL | O_WRONLY, 0666);
  if (fd < 0) return run.ended(Verdict::wrong_result, "another one was measuring");
  ::close(fd);
  sleep_ms(100);
  ::unlink(file_of_test().c_str());
  return run.ended(Verdict::ok);
}

/// Leaves a process that keeps the pipes until their reader is gone.
Result leave_grandchild(const Run& run) {
  if (::fork() == 0) {
    ::setsid();
    pollfd reader{1, 0, 0};
    ::poll(&reader, 1, -1);
    ::_exit(0);
  }
  return run.ended(Verdict::ok);
}

/// Does not end by itself, but always shows signs of life.
Result live_on(const Run& run) {
  run.progress.phase(Phase::replay);
  for (;;) {
    run.progress.alive();
    sleep_ms(20);
  }
}

Result slow_but_alive(const Run& run) {
  run.progress.phase(Phase::verify);
  for (int i = 0; i < 8; ++i) {
    sleep_ms(250);
    run.progress.alive();
  }
  return run.ended(Verdict::ok);
}

/// The run with a capture dies with its context; the other one does what `otherwise` says.
Script poisoned(const Script& otherwise) {
  return [otherwise](const Run& run) {
    if (!run.options.capture_enabled) return otherwise(run);
    Result result = run.failed(Verdict::kernel_failed, Phase::replay, "FirstFailure");
    result.context_dead = true;
    return result;
  };
}

Script verdict(Verdict verdict) {
  return [verdict](const Run& run) { return run.ended(verdict, "as scripted"); };
}

Script extras(const std::function<void(const Run&)>& end) {
  return [end](const Run& run) {
    run.progress.complete(run.ended(Verdict::ok));
    run.progress.phase(Phase::replay);
    end(run);
    return run.ended(Verdict::internal, "not reached");
  };
}

/// Something that is no message, on the worker's end of the channel.
Result babble(const Run&) {
  std::ifstream arguments("/proc/self/cmdline");
  std::string argument;
  int fd = -1;
  const std::string flag = "--zl_worker_fd=";
  while (std::getline(arguments, argument, '\0')) {
    if (argument.rfind(flag, 0) == 0) fd = std::stoi(argument.substr(flag.size()));
  }
  if (::write(fd, "babble\n", 7) != 7) std::abort();
  for (;;) ::pause();
}

std::map<std::string, Script> scripts() {
  std::map<std::string, Script> all = {
      {"ok", verdict(Verdict::ok)},
      {"wrong_result", verdict(Verdict::wrong_result)},
      {"kernel_failed", verdict(Verdict::kernel_failed)},
      {"untimeable", verdict(Verdict::untimeable)},
      {"skipped", verdict(Verdict::skipped)},
      {"no_graph", verdict(Verdict::no_graph)},
      {"malformed", [](const Run&) -> Result { throw Error(Errc::usage, "rows must be even"); }},
      {"broken", [](const Run&) -> Result { throw std::runtime_error("a broken promise"); }},
      {"segv",
       [](const Run& run) -> Result {
         run.progress.phase(Phase::warmup);
         die(SIGSEGV);
       }},
      {"abort", [](const Run&) -> Result { die(SIGABRT); }},
      {"exit3", [](const Run&) -> Result { ::_exit(3); }},
      {"exit0", [](const Run&) -> Result { ::_exit(0); }},
      {"alone", alone},
      {"live_on", live_on},
      {"slow_but_alive", slow_but_alive},
      {"grandchild", leave_grandchild},
      {"babble", babble},
      {"flood",
       [](const Run& run) {
         std::fputs(flood_text().c_str(), stdout);
         return run.ended(Verdict::ok);
       }},
      {"bytes",
       [](const Run& run) {
         const std::string text = odd_bytes();
         std::fwrite(text.data(), 1, text.size(), stdout);
         return run.ended(Verdict::ok);
       }},
      {"marker",
       [](const Run& run) {
         run.progress.marker("BENCHMARK_DIRECT_NO_CUDAGRAPH",
                             {Phase::capture, "SomeReason", "call: text"});
         run.progress.notice("a notice");
         return run.ended(Verdict::ok);
       }},
      {"extras_segv", extras([](const Run&) { die(SIGSEGV); })},
      {"extras_hang", extras([](const Run&) { ::pause(); })},
      {"poisoned_ok", poisoned(verdict(Verdict::ok))},
      {"poisoned_skipped", poisoned(verdict(Verdict::skipped))},
      {"poisoned_wrong", poisoned(verdict(Verdict::wrong_result))},
      {"poisoned_segv", poisoned([](const Run&) -> Result { die(SIGSEGV); })},
      {"poisoned_hang", poisoned([](const Run& run) -> Result { hang(run, Phase::direct); })},
      {"poisoned_fails", poisoned([](const Run& run) {
         return run.failed(Verdict::kernel_failed, Phase::direct, "SecondFailure");
       })},
  };
  for (int i = 0; i <= static_cast<int>(Phase::command); ++i) {
    const auto phase = static_cast<Phase>(i);
    all["hang_" + std::string(name(phase))] = [phase](const Run& run) -> Result {
      hang(run, phase);
    };
  }
  return all;
}

std::vector<std::string_view> script_names() {
  static const std::map<std::string, Script> all = scripts();
  std::vector<std::string_view> names;
  for (const auto& script : all) names.push_back(script.first);
  return names;
}

const bool declared = [] {
  registered_ops().push_back({"scripted", {"n"}, {{"f32", [](Case&) {}}}});
  Declared cases;
  cases.op = "scripted";
  cases.test_prefix = "perf.scripted.scripted";
  cases.impls = script_names();
  cases.shapes = {{"1", {{"model", "tiny"}}}, {"2", {}}, {"3", {}}};
  return detail::declare_cases(cases);
}();

}  // namespace

Result measure(Device& device, const Op&, const CaseId& id, const Options& options,
               Progress& progress) {
  return scripts().at(id.impl)({device, id, options, progress});
}

}  // namespace zl
