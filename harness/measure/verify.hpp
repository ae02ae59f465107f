#pragma once

#include <optional>
#include <string>
#include <vector>

#include "measure/calls.hpp"
#include "measure/result.hpp"

namespace zl {

/// The outputs of one verified eager call, which replays are compared with.
class Verified {
 public:
  /// Restores the inputs, poisons the outputs, makes one call on copy 0 and compares; before, the
  /// same with other inputs, whose outputs the call must not remember. `wrong` is empty where the
  /// outputs are right and the inputs are as they were; then the outputs are kept.
  Verified(Device& device, Calls& calls, Stream stream, Progress& progress);

  const std::string& wrong() const { return wrong_; }
  /// "all rows", "12 of 4096 rows", "replay-only".
  const std::string& extent() const { return extent_; }

  /// After one replayed call on copy 0 from restored inputs, with the draws it recorded: what
  /// differs; empty: nothing.
  std::string check_replay(Calls& calls, Stream stream, Progress& progress) const;
  /// After a series of calls: the outputs of one copy. Where calls work in place or draw, only
  /// that everything was written and is finite.
  std::string check_series(Calls& calls, std::int64_t copy, Stream stream) const;

 private:
  void check_eager(Calls& calls, Stream stream, Progress& progress);
  std::string changed_inputs(Calls& calls, Stream stream);
  std::string unwritten(Calls& calls, std::int64_t copy, Stream stream) const;
  std::string unlike(Calls& calls, std::int64_t copy, bool in_place, Stream stream) const;

  Device& device_;
  std::string wrong_;
  std::string extent_;
  std::vector<OwnedMemory> kept_;      ///< by operand; empty where it is not an output
  std::vector<Tolerance> tolerances_;  ///< by operand
};

/// Restores and poisons copy 0, and resets it where the case says so: the state in which a single
/// call is compared.
void prepare_single_call(Calls& calls, Stream stream);

}  // namespace zl
