#include "measure/graph_windows.hpp"

#include <algorithm>

#include "measure/statistics.hpp"
#include "measure/summary.hpp"
#include "measure/timer_check.hpp"
#include "zl/error.hpp"

namespace zl {

namespace {

constexpr int reference_replays = 10;
/// Above this the host's launch of a replay is less than a thousandth of it.
constexpr double longest_ahead_ms = 20;
/// Heat and faults of the hardware may pass; after that many windows the result says what it is.
constexpr int most_windows = 3;
constexpr double cooling_ms = 200;
constexpr double untrusted_reset_share = 0.5;
constexpr double sustained_share = 0.5;
constexpr double power_share = 0.25;

class Replays {
 public:
  Replays(Device& device, const Options& options, TimedGraph& calls, TimedGraph* preparations,
          Stream stream, Timing& timing)
      : device_(device),
        options_(options),
        calls_(calls),
        preparations_(preparations),
        stream_(stream),
        timing_(timing) {}

  void run(const Case& c) {
    if (options_.schedule == ScheduleKind::reference) {
      fixed();
    } else {
      for (int window = 1;; ++window) {
        burst(c);
        if (!timing_.clocks.slowed || window == most_windows) break;
        timing_.notes.push_back("a window of " + timing_.clocks.limit_reasons + " was repeated");
        device_.idle(cooling_ms);
      }
    }
    if (timing_.clocks.slowed) {
      timing_.untrusted.push_back("the device ran slowed: " + timing_.clocks.limit_reasons);
    }
    if (options_.schedule == ScheduleKind::reference || !wants_sustained(c)) return;
    if (timing_.cold_by == "evict") {
      timing_.notes.push_back("no sustained window: the load would be that of the sweeps");
      return;
    }
    sustained();
  }

  /// Median of the preparations alone, ms a call.
  double preparation_ms() const { return stats::median(preparation_samples_); }

 private:
  void keep(const std::vector<double>& ms, std::vector<double>& samples) {
    if (preparations_ == nullptr) {
      samples.push_back(ms[0]);
      return;
    }
    preparation_samples_.push_back(ms[1]);
    samples.push_back(ms[0] - ms[1]);
  }

  /// Each replay for itself, as that schedule says.
  void fixed() {
    double device_ms = 0;
    const Step step = [&](std::vector<double>& samples) {
      std::vector<double> ms{calls_.replay_ms(stream_)};
      device_ms += ms[0] * static_cast<double>(calls_.calls());
      if (preparations_ != nullptr) ms.push_back(preparations_->replay_ms(stream_));
      keep(ms, samples);
    };
    preparation_samples_.clear();
    timing_.window = fixed_window(device_, step, reference_replays);
    timing_.clocks = device_.clocks();
    require_plausible_timer(device_ms, timing_.window.load_ms());
  }

  void burst(const Case& c) {
    std::vector<TimedGraph*> graphs{&calls_};
    if (preparations_ != nullptr) graphs.push_back(preparations_);
    ReplayTrain train(device_, graphs, stream_, is_short());
    preparation_samples_.clear();
    const bool hungry = share_of_peak(c, timing_.estimate_ms) > power_share;
    timing_.window = burst_window(
        device_, calls_.calls(),
        [&](std::vector<double>& samples) { keep(train.round(), samples); },
        hungry ? power_hungry : BurstLimits{});
    // The first round was discarded.
    if (!preparation_samples_.empty()) preparation_samples_.erase(preparation_samples_.begin());
    timing_.clocks = device_.clocks();  // while a replay still runs
    train.finish();
    require_plausible_timer(train.device_ms(), timing_.window.load_ms());
  }

  void sustained() {
    // The preparations alone may be a lighter load: they do not belong between these replays.
    ReplayTrain train(device_, {&calls_}, stream_, is_short());
    timing_.sustained = sustained_window(
        device_, [&](std::vector<double>& samples) { samples.push_back(train.round()[0]); },
        timing_.window.load_ms());
    const ClockState clocks = device_.clocks();
    train.finish();
    timing_.clocks.processes = std::max(timing_.clocks.processes, clocks.processes);
    if (clocks.slowed) {
      timing_.untrusted.push_back("under continuous load the device ran slowed: " +
                                  clocks.limit_reasons);
    } else if (clocks.sm_mhz >= 0) {
      timing_.notes.push_back("under continuous load: SM at " + std::to_string(clocks.sm_mhz) +
                              " MHz, limited by " + clocks.limit_reasons);
    }
    if (preparations_ == nullptr) return;
    for (double& sample : timing_.sustained->samples_ms) sample -= preparation_ms();
  }

  bool is_short() const {
    return timing_.estimate_ms * static_cast<double>(calls_.calls()) < longest_ahead_ms;
  }

  bool wants_sustained(const Case& c) const {
    if (options_.sustained != SustainedChoice::automatic) {
      return options_.sustained == SustainedChoice::on;
    }
    return share_of_peak(c, stats::median(timing_.window.samples_ms)) > sustained_share;
  }

  /// Of the device's arithmetic; 0 where it is not known.
  double share_of_peak(const Case& c, double call_ms) const {
    const std::optional<double> peak = arithmetic_peak_TFLOPS(c, device_.info());
    return peak && c.declared_flops ? *c.declared_flops / (call_ms * 1e9) / *peak : 0;
  }

  Device& device_;
  const Options& options_;
  TimedGraph& calls_;
  TimedGraph* preparations_;
  Stream stream_;
  Timing& timing_;
  std::vector<double> preparation_samples_;
};

}  // namespace

void time_replays(Device& device, const Case& c, const Options& options, TimedGraph& calls,
                  TimedGraph* preparations, Stream stream, Timing& timing) {
  Replays replays(device, options, calls, preparations, stream, timing);
  replays.run(c);
  if (preparations == nullptr || timing.cold_by == "evict") return;
  const double reset_ms = replays.preparation_ms();
  timing.notes.push_back("resets of " + std::to_string(reset_ms * 1e3) +
                         " us a call were timed alone and subtracted");
  const double call_ms = stats::median(timing.window.samples_ms);
  if (reset_ms > untrusted_reset_share * (reset_ms + call_ms)) {
    timing.untrusted.push_back("the resets take more than half of the time");
  }
}

}  // namespace zl
