#include "device/cuda/nvml_clocks.hpp"

#include <dlfcn.h>

namespace zl {
namespace {

// From NVML's API reference, which promises to keep these.
constexpr int nvml_success = 0;
constexpr int nvml_insufficient_size = 7;
constexpr int clock_sm = 1;
constexpr int clock_memory = 2;

struct Reason {
  unsigned long long bit;
  const char* name;
};
constexpr Reason reasons[] = {
    {0x001, "GpuIdle"},
    {0x002, "ApplicationsClocksSetting"},
    {0x004, "SwPowerCap"},
    {0x008, "HwSlowdown"},
    {0x010, "SyncBoost"},
    {0x020, "SwThermalSlowdown"},
    {0x040, "HwThermalSlowdown"},
    {0x080, "HwPowerBrakeSlowdown"},
    {0x100, "DisplayClockSetting"},
};

// Not the power cap, under which a device works as it is meant to.
constexpr unsigned long long slowdowns = 0x008 | 0x020 | 0x040 | 0x080;

std::string reason_names(unsigned long long bits) {
  if (bits == 0) return "None";
  std::string names;
  const auto add = [&names](const std::string& name) {
    names += (names.empty() ? "" : ",") + name;
  };
  for (const Reason& reason : reasons) {
    if (bits & reason.bit) add(reason.name);
    bits &= ~reason.bit;
  }
  if (bits != 0) add("other");
  return names;
}

}  // namespace

struct NvmlClocks::Library {
  void* handle = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
  bool ready = false;

  int (*init)() = nullptr;
  int (*shutdown)() = nullptr;
  int (*driver)(char*, unsigned) = nullptr;
  int (*by_uuid)(const char*, void**) = nullptr;
  int (*clock)(void*, int, unsigned*) = nullptr;
  int (*power_limit)(void*, unsigned*) = nullptr;
  int (*limit_reasons)(void*, unsigned long long*) = nullptr;
  int (*processes)(void*, unsigned*, void*) = nullptr;

  Library() {
    if (handle == nullptr) return;
    load(init, "nvmlInit_v2");
    load(shutdown, "nvmlShutdown");
    load(driver, "nvmlSystemGetDriverVersion");
    load(by_uuid, "nvmlDeviceGetHandleByUUID");
    load(clock, "nvmlDeviceGetClockInfo");
    load(power_limit, "nvmlDeviceGetEnforcedPowerLimit");
    load(limit_reasons, "nvmlDeviceGetCurrentClocksEventReasons");
    // Its name before driver 535.
    if (limit_reasons == nullptr) load(limit_reasons, "nvmlDeviceGetCurrentClocksThrottleReasons");
    load(processes, "nvmlDeviceGetComputeRunningProcesses_v3");
    ready = init != nullptr && shutdown != nullptr && init() == nvml_success;
  }
  ~Library() {
    if (ready) shutdown();
    if (handle != nullptr) dlclose(handle);
  }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  template <class F>
  void load(F& function, const char* name) {
    function = reinterpret_cast<F>(dlsym(handle, name));
  }
};

NvmlClocks::NvmlClocks(const std::string& uuid) : library_(std::make_unique<Library>()) {
  if (!library_->ready || library_->by_uuid == nullptr) return;
  if (library_->by_uuid(uuid.c_str(), &device_) != nvml_success) device_ = nullptr;
}

NvmlClocks::~NvmlClocks() = default;

ClockState NvmlClocks::read() const {
  ClockState state;
  if (device_ == nullptr) {
    state.unknown = library_->handle == nullptr ? "libnvidia-ml.so.1 is not found"
                    : !library_->ready          ? "NVML does not start"
                                                : "NVML does not know this device";
    return state;
  }
  unsigned value = 0;
  const auto clock = [&](int domain) {
    const bool known =
        library_->clock != nullptr && library_->clock(device_, domain, &value) == nvml_success;
    return known ? static_cast<int>(value) : -1;
  };
  state.sm_mhz = clock(clock_sm);
  state.memory_mhz = clock(clock_memory);
  if (library_->power_limit != nullptr && library_->power_limit(device_, &value) == nvml_success) {
    state.power_limit_w = value / 1000.0;  // NVML says milliwatts
  }
  unsigned long long bits = 0;
  if (library_->limit_reasons != nullptr &&
      library_->limit_reasons(device_, &bits) == nvml_success) {
    state.limit_reasons = reason_names(bits);
    state.slowed = (bits & slowdowns) != 0;
  }
  // Asked with no room for their description it tells how many there are.
  unsigned count = 0;
  if (library_->processes != nullptr) {
    const int code = library_->processes(device_, &count, nullptr);
    if (code == nvml_success || code == nvml_insufficient_size) {
      state.processes = static_cast<int>(count);
    }
  }
  return state;
}

std::string NvmlClocks::driver_version() const {
  char text[96] = "";  // NVML asks for 80
  if (!library_->ready || library_->driver == nullptr) return "";
  return library_->driver(text, sizeof text) == nvml_success ? text : "";
}

}  // namespace zl
