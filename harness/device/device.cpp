#include "device/device.hpp"

#include <chrono>
#include <thread>

namespace zl {

double Device::wall_ms() {
  using namespace std::chrono;
  return duration<double, std::milli>(steady_clock::now().time_since_epoch()).count();
}

void Device::idle(double ms) {
  std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(ms));
}

}  // namespace zl
