#include "device/device.hpp"

#include <chrono>
#include <thread>

#include "zl/error.hpp"

namespace zl {

double Device::wall_ms() {
  using namespace std::chrono;
  return duration<double, std::milli>(steady_clock::now().time_since_epoch()).count();
}

void Device::idle(double ms) {
  std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(ms));
}

std::vector<TraceRecord> Device::trace(const std::function<void()>&) {
  throw Error(Errc::usage, "the " + info().backend + " backend has no profiler to check against");
}

bool Device::start_profiler(const std::string&) { return false; }

}  // namespace zl
