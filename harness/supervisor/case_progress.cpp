#include "supervisor/case_progress.hpp"

#include <cstdio>
#include <nlohmann/json.hpp>

#include "report/atomic_file.hpp"
#include "report/console.hpp"
#include "report/marker.hpp"
#include "report/result_json.hpp"
#include "supervisor/channel.hpp"

namespace zl {

CaseProgress::CaseProgress(const Invocation& invocation, const Selected& selected, int text_fd,
                           bool colours, Channel* channel)
    : invocation_(invocation),
      selected_(selected),
      text_fd_(text_fd),
      colours_(colours),
      channel_(channel),
      times_(invocation.environment.verbose) {}

void CaseProgress::set_device(const DeviceInfo& info) {
  device_ = info.identity;
  driver_ = info.driver;
  runtime_ = info.runtime;
}

Result CaseProgress::described(Result result) const {
  result.id = selected_.id;
  result.columns = selected_.columns;
  result.device_name = device_.name;
  result.device_uuid = device_.uuid;
  result.driver = driver_;
  result.runtime = runtime_;
  return result;
}

void CaseProgress::phase(Phase phase) {
  times_.enter(phase);
  if (channel_ != nullptr) channel_->send({{"phase", std::string(name(phase))}});
}

void CaseProgress::alive() {
  if (channel_ != nullptr) channel_->send({{"alive", true}});
}

void CaseProgress::marker(std::string_view marker, const Failure& failure) {
  const std::string& op = invocation_.options.marker_op;
  write_all(text_fd_, marker_text(marker, op.empty() ? selected_.id.op : op, failure, colours_));
}

void CaseProgress::notice(const std::string& line) { std::fprintf(stderr, "%s\n", line.c_str()); }

void CaseProgress::graph(const std::string& dot) {
  write_file(invocation_.options.dump_graph, dot);
}

void CaseProgress::complete(const Result& result) {
  if (channel_ != nullptr) channel_->send({{"complete", to_json(described(result))}});
}

}  // namespace zl
