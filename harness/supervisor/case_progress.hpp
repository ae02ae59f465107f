#pragma once

#include <string>

#include "cli/case_selection.hpp"
#include "device/device.hpp"
#include "measure/result.hpp"
#include "supervisor/phase_times.hpp"

namespace zl {

class Channel;

/// Tells the supervisor what the measurement of one case does; without a channel, nobody. Markers
/// go to `text_fd`, notices to standard error.
class CaseProgress final : public Progress {
 public:
  CaseProgress(const Invocation& invocation, const Selected& selected, int text_fd, bool colours,
               Channel* channel);

  void set_device(const DeviceInfo& info);
  /// `result` with what the caller of measure() knows: the extra columns and the device.
  Result described(Result result) const;

  void phase(Phase phase) override;
  void alive() override;
  void marker(std::string_view marker, const Failure& failure) override;
  void notice(const std::string& line) override;
  void graph(const std::string& dot) override;
  void complete(const Result& result) override;

 private:
  const Invocation& invocation_;
  const Selected& selected_;
  int text_fd_;
  bool colours_;
  Channel* channel_;
  DeviceIdentity device_;
  std::string driver_;
  std::string runtime_;
  PhaseTimes times_;
};

}  // namespace zl
