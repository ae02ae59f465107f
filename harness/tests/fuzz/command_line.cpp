// The command line of zl_perf_command, and that of the worker which it starts.
#include "command/command_line.hpp"

#include "tests/fuzz/contract.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::vector<std::string> argv = zl::fuzz::arguments(data, size);
  const auto line = zl::fuzz::parsed([&] { return zl::parse_command_line(argv, {}, "host"); });
  if (!line || line->invocation.help || line->invocation.is_worker()) return 0;

  std::vector<std::string> of_worker = line->invocation.argv;
  of_worker.insert(of_worker.end(), {"--zl_case=" + line->selected.id.run_name(),
                                     "--zl_result_file=result.json", "--zl_worker_fd=3"});
  const zl::CommandLine there = zl::parse_command_line(of_worker, {}, "host");
  zl::fuzz::promised(there.command == line->command &&
                     there.selected.columns == line->selected.columns &&
                     there.selected.id.test_name() == line->selected.id.test_name() &&
                     there.result_file == "result.json");
  return 0;
}
