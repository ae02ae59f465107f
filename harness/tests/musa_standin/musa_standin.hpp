#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "musa_runtime_api.h"

/// The stand-in for Moore Threads' runtime on the CPU: what a test tells it and reads from it. Work
/// runs when it is enqueued. It is stricter than CUDA where MUSA is: no allocation while any stream
/// is captured, no capture of the default stream, few graph executables, a graph must outlive its
/// executable, and graph calls that fail say 999.
namespace musa_standin {

/// One planned failure.
struct Fault {
  std::string call;        ///< as "musaGraphLaunch"; "kernel": one that fails while it runs
  std::string phase = "";  ///< only in this phase of the measurement; empty: in any
  int skip = 0;
  int times = 1;
  int code = 0;
  bool kills = false;  ///< the context is dead from then on
};

struct State {
  std::vector<Fault> faults;
  std::string phase;
  int devices = 1;
  int device_count_error = 0;
  int driver_version = MUSART_VERSION;
  int warp_size = 32;
  std::size_t memory_bytes = std::size_t{1} << 30;
  int exec_limit = 2048;

  std::map<std::string, int> calls;
  int live_streams = 0, live_events = 0, live_graphs = 0, live_execs = 0, live_blocks = 0;
  int most_live_execs = 0;
  bool profiling = false;
  bool dead = false;
  int last_error = 0;
  int pending = 0;  ///< of a kernel that failed, reported by the next synchronize
  bool pending_kills = false;
};
State& state();
/// As a new process would find it.
void reset();

/// A kernel launch: `body`, and `us` of the CPU's time. Returns the runtime's error code.
int launch(musaStream_t stream, std::function<void()> body, double us = 0);
bool is_captured(musaStream_t stream);

}  // namespace musa_standin
