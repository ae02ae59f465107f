#pragma once

#include <stdexcept>
#include <string>

namespace zl {

/// Why something failed. One list for the whole project; measure/verdict.hpp maps it to a verdict.
enum class Errc {
  usage,          ///< the command line, a shape or a case definition is wrong: exit code 2
  no_device,      ///< no usable device: a skip, or a failure where ZL_REQUIRE_DEVICE=1
  out_of_memory,  ///< the device refused an allocation
  capture_rule,   ///< a call that a stream capture forbids: recoverable when the probe passes
  sticky,         ///< the context is dead: only a fresh process recovers
  device,         ///< any other device error: the probe decides
  untimeable,     ///< the clocks disagree: no number is printed
  internal,       ///< a broken promise of the harness itself: exit code 70
};

/// The one exception type.
class Error : public std::runtime_error {
 public:
  Error(Errc errc, const std::string& message) : std::runtime_error(message), errc(errc) {}
  /// A failed device call: `code` and `name` as the vendor has them, `call` as it was made.
  Error(Errc errc, int code, std::string name, std::string call, const std::string& text)
      : std::runtime_error(call + ": " + name + " (" + std::to_string(code) + "): " + text),
        errc(errc),
        code(code),
        name(std::move(name)),
        call(std::move(call)),
        text(text) {}

  Errc errc;
  int code = 0;      ///< the vendor's number; 0 where no device call failed
  std::string name;  ///< the vendor's name of the code, as "cudaErrorIllegalAddress"
  std::string call;  ///< as "cudaStreamEndCapture"
  std::string text;  ///< the vendor's description
};

}  // namespace zl
