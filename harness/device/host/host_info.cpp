#include "device/host/host_info.hpp"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <sstream>

namespace zl::host {

namespace {

// Where the kernel does not tell: large enough for the processors of the last years' servers.
constexpr std::size_t assumed_cache_bytes = std::size_t{32} << 20;

std::string first_line(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

std::size_t last_level_cache_bytes() {
  std::size_t largest = 0;
  for (int index = 0; index < 8; ++index) {
    const std::string folder =
        "/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(index) + "/";
    const std::string type = first_line(folder + "type");
    if (type != "Unified" && type != "Data") continue;
    std::istringstream size(first_line(folder + "size"));
    std::size_t number = 0;
    char unit = ' ';
    size >> number >> unit;
    largest = std::max(largest, number * (unit == 'M' ? std::size_t{1} << 20 : std::size_t{1024}));
  }
  return largest == 0 ? assumed_cache_bytes : largest;
}

std::size_t meminfo_bytes(const std::string& key) {
  std::ifstream file("/proc/meminfo");
  std::string line;
  while (std::getline(file, line)) {
    if (line.rfind(key + ":", 0) != 0) continue;
    return std::stoull(line.substr(key.size() + 1)) * 1024;
  }
  return 0;
}

std::size_t cgroup_bytes(const std::string& file, std::size_t otherwise) {
  const std::string line = first_line("/sys/fs/cgroup/" + file);
  return line.empty() || line == "max" ? otherwise : std::stoull(line);
}

}  // namespace

MemoryInfo memory_info() {
  MemoryInfo info;
  const std::size_t no_limit = std::numeric_limits<std::size_t>::max();
  const std::size_t limit = cgroup_bytes("memory.max", no_limit);
  info.total_bytes = std::min(meminfo_bytes("MemTotal"), limit);
  info.free_bytes = meminfo_bytes("MemAvailable");
  if (limit != no_limit) {
    const std::size_t used = std::min(limit, cgroup_bytes("memory.current", 0));
    info.free_bytes = std::min(info.free_bytes, limit - used);
  }
  return info;
}

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  std::string line;
  while (std::getline(file, line)) {
    if (line.rfind("model name", 0) == 0) {
      return line.substr(std::min(line.find(':') + 2, line.size()));
    }
  }
  return "CPU";
}

DeviceInfo describe(DeviceIdentity identity) {
  DeviceInfo info;
  info.identity = std::move(identity);
  info.backend = "host";
  info.l2_bytes = last_level_cache_bytes();
  info.memory_bytes = memory_info().total_bytes;
  info.peak_TFLOPS = [](DType) { return std::optional<double>(); };
  return info;
}

}  // namespace zl::host
