#include "doctor/checks.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>

#include "measure/guards.hpp"
#include "measure/measure.hpp"
#include "zl/error.hpp"

namespace zl::doctor {

namespace {

constexpr int timer_events = 1000;
constexpr std::size_t timer_bytes = 4096;  // set between two events, so that none takes no time
constexpr int short_spin_ns = 20'000;
constexpr int long_spin_ns = 200'000;
constexpr double least_share_of_peak = 0.75;
constexpr std::int64_t cold_elements = 1 << 18;       // 1 MiB a buffer
constexpr std::int64_t bandwidth_elements = 1 << 26;  // 256 MiB a buffer
constexpr std::int64_t host_bandwidth_elements = 1 << 24;

/// On a shared CPU the scheduler adds what a GPU does not know.
struct Allowed {
  double spin_pct;
  double cold_pct;
};
Allowed allowed_on(const DeviceInfo& info) {
  return info.is_gpu ? Allowed{1, 1.5} : Allowed{10, 25};
}

std::string text(const char* format, double a, double b = 0, double c = 0) {
  char line[200];
  std::snprintf(line, sizeof line, format, a, b, c);
  return line;
}

struct Silent : Progress {
  void phase(Phase) override {}
  void alive() override {}
  void marker(std::string_view, const Failure&) override {}
  void notice(const std::string&) override {}
  void complete(const Result&) override {}
};

class Examination {
 public:
  Examination(Device& device, const std::vector<Op>& ops)
      : device_(device), ops_(ops), allowed_(allowed_on(device.info())) {}

  std::vector<Finding> run() {
    check("timer", [this](Finding& f) { timer(f); });
    check("capture", [this](Finding& f) { capture(f); });
    check("spin, graph", [this](Finding& f) { spin(f, MethodChoice::graph); });
    check("spin, direct", [this](Finding& f) { spin(f, MethodChoice::direct); });
    check("cold cache", [this](Finding& f) { cold(f); });
    check("bandwidth", [this](Finding& f) { bandwidth(f); });
    check("clocks", [this](Finding& f) { clocks(f); });
    check("other processes", [this](Finding& f) { processes(f); });
    return std::move(findings_);
  }

 private:
  void check(const char* what, const std::function<void(Finding&)>& find) {
    Finding finding;
    finding.check = what;
    try {
      find(finding);
    } catch (const Error& e) {
      finding.status = Status::failed;
      finding.found = e.what();
      finding.remedy = "see the message";
    }
    findings_.push_back(finding);
  }

  static void judge(Finding& f, bool passed, const std::string& remedy) {
    f.status = passed ? Status::passed : Status::failed;
    if (!passed) f.remedy = remedy;
  }

  Result measured(const char* op, std::int64_t shape, const Options& options) {
    const auto known =
        std::find_if(ops_.begin(), ops_.end(), [&](const Op& one) { return one.name == op; });
    if (known == ops_.end()) throw Error(Errc::internal, std::string("no known op ") + op);
    Silent silent;
    const CaseId id{op, "own", "f32", std::to_string(shape), device_.info().backend};
    Result result = measure(device_, *known, id, options, silent);
    if (result.verdict != Verdict::ok) {
      throw Error(Errc::device, 0, std::string(name(result.verdict)), op, result.message);
    }
    return result;
  }

  double latency_us(const char* op, std::int64_t shape, const Options& options) {
    return measured(op, shape, options).metrics.at("latency_us");
  }

  void timer(Finding& f) {
    const OwnedStream stream(device_);
    std::vector<OwnedEvent> events;
    for (int i = 0; i < timer_events; ++i) events.emplace_back(device_);
    const OwnedMemory memory(device_, timer_bytes);
    for (const OwnedEvent& event : events) {
      device_.set_bytes(memory.get(), 0, timer_bytes, stream.get());
      device_.record(event.get(), stream.get());
    }
    device_.synchronize(stream.get());
    double smallest = 0;
    double sum = 0;
    bool monotonous = true;
    for (std::size_t i = 1; i < events.size(); ++i) {
      const double ms = device_.elapsed_ms(events[i - 1].get(), events[i].get());
      monotonous = monotonous && ms >= 0;
      if (ms > 0 && (smallest == 0 || ms < smallest)) smallest = ms;
      sum += ms;
    }
    const double whole = device_.elapsed_ms(events.front().get(), events.back().get());
    f.found = text("smallest step %.3g us; %.4g us in steps, %.4g us as a whole", 1e3 * smallest,
                   1e3 * sum, 1e3 * whole);
    const bool adds_up = std::abs(sum - whole) <= 0.01 * whole + 1e-3;
    judge(f, monotonous && smallest > 0 && adds_up,
          "events cannot be relied on: update the driver; no number of this device is true");
  }

  void capture(Finding& f) {
    Options options;
    options.method = MethodChoice::graph;
    options.cache = CacheChoice::warm;
    const Result r = measured("copy", cold_elements, options);
    f.found = std::string(name(r.capture)) + ", " + std::to_string(r.n_repeat) + " calls a replay";
    judge(f, r.capture == Capture::clean, "update driver and runtime");
  }

  /// The difference of two known times leaves out what both pay.
  void spin(Finding& f, MethodChoice method) {
    Options options;
    options.method = method;
    options.cache = CacheChoice::warm;
    const double brief = latency_us("spin", short_spin_ns, options);
    const double lengthy = latency_us("spin", long_spin_ns, options);
    const double slope = 1e3 * (lengthy - brief) / (long_spin_ns - short_spin_ns);
    f.found = text("a known 180 us is measured as %.2f us; a call costs %.2f us beside it",
                   lengthy - brief, brief - 1e-3 * short_spin_ns);
    judge(f, std::abs(slope - 1) * 100 <= allowed_.spin_pct,
          text("more than %g %% off: something else keeps the device or this CPU busy",
               allowed_.spin_pct));
  }

  /// Twice the copies must change nothing, or the first ones were still in the cache.
  void cold(Finding& f) {
    Options options;
    options.cache = CacheChoice::cold;
    const Result once = measured("copy", cold_elements, options);
    if (once.cache != Cache::cold) {
      f.found = "the rotation is not possible here: " + once.cache_note;
      return;
    }
    options.cold_factor *= 2;
    const Result twice = measured("copy", cold_elements, options);
    if (twice.cache != Cache::cold) {
      f.found = "twice the rotation is not possible here: " + twice.cache_note;
      return;
    }
    const double a = once.metrics.at("latency_us");
    const double b = twice.metrics.at("latency_us");
    f.found = text("1 MiB copied in %.3f us, with twice the copies in %.3f us (%+.2f %%)", a, b,
                   100 * (b / a - 1));
    judge(f, std::abs(b / a - 1) * 100 <= allowed_.cold_pct,
          text("more than %g %% apart: results that say cold are not", allowed_.cold_pct));
  }

  void bandwidth(Finding& f) {
    const DeviceInfo& info = device_.info();
    Options options;
    options.cache = CacheChoice::cold;
    const std::int64_t n = info.is_gpu ? bandwidth_elements : host_bandwidth_elements;
    const Result r = measured("copy", n, options);
    loaded_clocks_ = r.clocks_end;
    const double rate = r.metrics.at("bandwidth_GBps");
    if (!info.peak_bandwidth_GBps) {
      f.found = text("%.0f GB/s; the peak is not known", rate);
      return;
    }
    f.found = text("%.0f of %.0f GB/s (%.0f %%)", rate, *info.peak_bandwidth_GBps,
                   100 * rate / *info.peak_bandwidth_GBps);
    judge(f, rate >= least_share_of_peak * *info.peak_bandwidth_GBps,
          "a healthy device copies at 75 % of its peak and more: look at its clocks, ECC errors "
          "and other users");
  }

  void clocks(Finding& f) {
    const ClockState& c = loaded_clocks_;
    if (c.sm_mhz < 0) {
      f.found = "not known: " + (c.unknown.empty() ? "the backend does not say" : c.unknown);
      return;
    }
    f.found =
        text("SM %.0f MHz, memory %.0f MHz, power limit %.0f W under load; limited by: ", c.sm_mhz,
             c.memory_mhz, c.power_limit_w) +
        c.limit_reasons;
    judge(f, !c.slowed, "heat or a fault of the hardware slows it: cool it, look at its power");
  }

  void processes(Finding& f) {
    const ClockState c = device_.clocks();
    if (c.processes < 0) {
      f.found = "not known: " + (c.unknown.empty() ? "the backend does not say" : c.unknown);
      return;
    }
    f.found = std::to_string(c.processes) + " on the device, this one included";
    judge(f, c.processes <= 1, "end the other ones: their work would be measured with yours");
  }

  Device& device_;
  const std::vector<Op>& ops_;
  Allowed allowed_;
  ClockState loaded_clocks_;
  std::vector<Finding> findings_;
};

}  // namespace

std::vector<Finding> examine(Device& device, const std::vector<Op>& ops) {
  return Examination(device, ops).run();
}

bool all_passed(const std::vector<Finding>& findings) {
  return std::none_of(findings.begin(), findings.end(),
                      [](const Finding& f) { return f.status == Status::failed; });
}

}  // namespace zl::doctor
