#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace zl::fake {

/// One planned failure of the fake device.
struct Fault {
  /// A Device function, as "end_capture"; "kernel": a kernel fails while it runs, which the next
  /// synchronize reports; "enqueue": a kernel's launch fails.
  std::string call;
  std::string phase = {};  ///< only in this phase; empty: in any
  int skip = 0;            ///< matching calls that still succeed
  int times = 1;           ///< matching calls that then fail
  int code = 0;            ///< CUDA's number
  bool kills = false;      ///< the context is dead from then on
  bool hang = false;       ///< the call does not return
  bool crash = false;      ///< the process dies by SIGSEGV
};

/// "call=kernel phase=replay code=700 kills; call=allocate skip=3 code=2": for processes.
std::vector<Fault> parse_faults(std::string_view text);

}  // namespace zl::fake
