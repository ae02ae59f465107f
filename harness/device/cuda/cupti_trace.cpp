#include "device/cuda/cupti_trace.hpp"

#include "zl/error.hpp"

#ifdef ZL_HAVE_CUPTI

#include <cupti.h>
#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <string>

namespace zl {
namespace {

// Declared by every CUDA 12 and 13. Later versions of these records append: `start` and `end` stay
// in place up to CUpti_ActivityKernel10, Memcpy6 and Memset4, which CUDA 13.0 writes.
using KernelRecord = CUpti_ActivityKernel8;
using MemcpyRecord = CUpti_ActivityMemcpy5;
using MemsetRecord = CUpti_ActivityMemset4;

constexpr CUpti_ActivityKind kinds[] = {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL,
                                        CUPTI_ACTIVITY_KIND_MEMCPY, CUPTI_ACTIVITY_KIND_MEMSET};

constexpr std::size_t buffer_bytes = 32u << 20;  // 150,000 kernels: mostly one buffer a trace

// Null where no user can help.
const char* remedy(CUptiResult result) {
  switch (result) {
    case CUPTI_ERROR_INSUFFICIENT_PRIVILEGES:
    case CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES:
      return "the driver lets only administrators profile: run as root or with CAP_SYS_ADMIN, or "
             "load the nvidia module with NVreg_RestrictProfilingToAdminUsers=0";
    case CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED:
    case CUPTI_ERROR_NOT_COMPATIBLE:
      return "another profiler or debugger is at work: run without it";
    case CUPTI_ERROR_NOT_INITIALIZED:
      return "no CUDA driver, or one older than this CUPTI: use the CUPTI of the driver's CUDA";
    default:
      return nullptr;
  }
}

void* open_library() {
  std::string tried;
  for (const std::string& name : {
           "libcupti.so." + std::to_string(CUDA_VERSION / 1000),
           std::string("libcupti.so"),
#ifdef ZL_CUPTI_LIBRARY
           std::string(ZL_CUPTI_LIBRARY),
#endif
       }) {
    if (void* handle = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL)) return handle;
    tried += std::string("\n  ") + dlerror();
  }
  throw Error(Errc::usage, "a kernel trace needs CUPTI: put the folder of the CUDA toolkit's " +
                               ("libcupti on LD_LIBRARY_PATH; tried" + tried));
}

struct Cupti {
  struct Symbol {
    void* address;
    template <class F>
    operator F*() const {
      return reinterpret_cast<F*>(address);
    }
  };
  Symbol find(const char* name) const {
    if (void* address = dlsym(handle, name)) return {address};
    throw Error(Errc::usage,
                std::string("CUPTI has no ") + name + ": use that of CUDA 12 or later");
  }

  void* handle = open_library();  // never closed: CUPTI's threads and hooks outlive a trace
  decltype(&cuptiActivityRegisterCallbacks) register_callbacks =
      find("cuptiActivityRegisterCallbacks");
  decltype(&cuptiActivitySetAttribute) set_attribute = find("cuptiActivitySetAttribute");
  decltype(&cuptiActivityEnable) enable = find("cuptiActivityEnable");
  decltype(&cuptiActivityDisable) disable = find("cuptiActivityDisable");
  decltype(&cuptiActivityFlushAll) flush_all = find("cuptiActivityFlushAll");
  decltype(&cuptiActivityGetNextRecord) next_record = find("cuptiActivityGetNextRecord");
  decltype(&cuptiActivityGetNumDroppedRecords) dropped_records =
      find("cuptiActivityGetNumDroppedRecords");
  decltype(&cuptiGetResultString) result_string = find("cuptiGetResultString");

  void check(CUptiResult result, const char* call) const {
    if (result == CUPTI_SUCCESS) return;
    const char* name = nullptr;
    if (result_string(result, &name) != CUPTI_SUCCESS) name = "unknown CUptiResult";
    const char* text = remedy(result);
    throw Error(text != nullptr ? Errc::usage : Errc::device, result, name, call,
                text != nullptr ? text : "CUPTI failed");
  }
};

struct Trace {
  const Cupti& cupti;
  std::vector<TraceRecord> records{};
  std::size_t dropped = 0;  // for want of memory, or unreadable
  std::size_t untimed = 0;  // for want of the device's memory, or still running

  template <class Record>
  void add(const CUpti_Activity* activity) {
    const auto* record = reinterpret_cast<const Record*>(activity);
    records.push_back({record->start, record->end});
    if (record->start == 0 || record->end < record->start) ++untimed;
  }

  void read(std::uint8_t* buffer, std::size_t bytes) {
    CUpti_Activity* activity = nullptr;
    CUptiResult result = CUPTI_SUCCESS;
    while ((result = cupti.next_record(buffer, bytes, &activity)) == CUPTI_SUCCESS) {
      if (activity->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) add<KernelRecord>(activity);
      if (activity->kind == CUPTI_ACTIVITY_KIND_MEMCPY) add<MemcpyRecord>(activity);
      if (activity->kind == CUPTI_ACTIVITY_KIND_MEMSET) add<MemsetRecord>(activity);
    }
    if (result != CUPTI_ERROR_MAX_LIMIT_REACHED) ++dropped;
  }
};

// CUPTI's callbacks carry no user pointer and run on its threads, even at exit: they find the trace
// that is running, if any, here.
std::mutex running_mutex;
Trace* running = nullptr;

void CUPTIAPI buffer_requested(std::uint8_t** buffer, std::size_t* bytes, std::size_t* records) {
  *buffer = static_cast<std::uint8_t*>(std::calloc(1, buffer_bytes));
  *bytes = *buffer != nullptr ? buffer_bytes : 0;  // CUPTI counts what it then drops
  *records = 0;                                    // no limit
}

void CUPTIAPI buffer_completed(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t,
                               std::size_t valid_bytes) {
  const std::lock_guard lock(running_mutex);
  try {
    if (running != nullptr && valid_bytes > 0) running->read(buffer, valid_bytes);
  } catch (...) {  // nothing may pass through CUPTI
    ++running->dropped;
  }
  std::free(buffer);
}

void set_running(Trace* trace) {
  const std::lock_guard lock(running_mutex);
  running = trace;
}

struct StopTracing {
  const Cupti& cupti;
  ~StopTracing() {
    for (const auto kind : kinds) cupti.disable(kind);
    cupti.flush_all(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);  // leaves nothing to the next trace
    set_running(nullptr);
  }
};

}  // namespace

std::vector<TraceRecord> cupti_trace(const std::function<void()>& work) {
  const Cupti cupti;
  Trace trace{cupti};
  std::size_t dropped = 0;
  {
    const StopTracing stop{cupti};
    set_running(&trace);
    // As calloc()'s pages are: else CUPTI clears the buffer between two launches.
    std::uint8_t zeroed = 1;
    std::size_t size = sizeof zeroed;
    cupti.check(cupti.set_attribute(CUPTI_ACTIVITY_ATTR_ZEROED_OUT_ACTIVITY_BUFFER, &size, &zeroed),
                "cuptiActivitySetAttribute");
    cupti.check(cupti.register_callbacks(buffer_requested, buffer_completed),
                "cuptiActivityRegisterCallbacks");
    for (const auto kind : kinds) cupti.check(cupti.enable(kind), "cuptiActivityEnable");
    work();
    // Forced: a default flush leaves a buffer with an incomplete record behind and says nothing.
    cupti.check(cupti.flush_all(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED), "cuptiActivityFlushAll");
    cupti.check(cupti.dropped_records(nullptr, 0, &dropped), "cuptiActivityGetNumDroppedRecords");
  }
  dropped += trace.dropped;
  if (dropped + trace.untimed > 0) {
    throw Error(Errc::device, "kernel trace: CUPTI dropped at least " + std::to_string(dropped) +
                                  " records and left " + std::to_string(trace.untimed) +
                                  " without times: trace fewer replays");
  }
  std::ranges::sort(trace.records, {}, &TraceRecord::start_ns);
  return std::move(trace.records);
}

}  // namespace zl

#else

std::vector<zl::TraceRecord> zl::cupti_trace(const std::function<void()>&) {
  throw Error(Errc::usage, "kernel trace: built without CUPTI: install its cupti.h and configure");
}

#endif
