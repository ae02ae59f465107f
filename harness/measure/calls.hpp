#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "measure/buffers.hpp"

namespace zl {

/// Enqueues the calls of one implementation: call i works on copy i mod k.
class Calls {
 public:
  Calls(Device& device, const Case& c, const Implementation& implementation, Buffers& buffers);

  void enqueue(Stream stream, std::int64_t index);
  /// The resets that call `index` of a series owes: those of the copy that comes into use half a
  /// rotation later, so that a reset does not put into the cache what the next call reads.
  void enqueue_resets(Stream stream, std::int64_t index);

  /// From now on every preparation ends with a read of twice the L2, which leaves nothing of a
  /// call's operands in it. False where there is no memory for it.
  bool evict_before_calls();
  void stop_evicting() { sweep_ = OwnedMemory(); }
  bool evicting() const { return sweep_.get() != nullptr; }
  /// What runs before call `index` outside the time measured: its resets, then the sweep.
  void enqueue_preparation(Stream stream, std::int64_t index);
  bool need_preparation() const { return case_.has_resets() || evicting(); }

  /// The resets of one copy.
  void reset_copy(Stream stream, std::int64_t copy);
  /// Brings every copy into the state in which a series of calls may start.
  void reset_all(Stream stream);

  /// Where the last call with a copy left an output: in the memory that it was given, or in memory
  /// that it allocated.
  void* output(std::int64_t copy, std::size_t operand) const;
  /// Fills the outputs of a copy with a pattern that no op writes, wherever the last call left
  /// them.
  void poison(std::int64_t copy, Stream stream);
  /// Why a rotation does not make the calls cold: they return the same memory with several copies.
  /// Empty: they do not.
  std::string why_not_rotated() const;

  /// What the last call drew.
  const std::array<Philox, Launch::max_draws>& last_draws() const { return last_draws_; }
  const std::map<std::string, std::string>& notes() const { return notes_; }
  Buffers& buffers() { return buffers_; }
  const Case& definition() const { return case_; }

 private:
  void submit(const CallFunction& function, const Launch& launch);
  void** results(std::int64_t copy) {
    return results_.data() + static_cast<std::size_t>(copy) * case_.operands.size();
  }

  Device& device_;
  const Case& case_;
  const Implementation& implementation_;
  Buffers& buffers_;
  std::array<Philox, Launch::max_draws> last_draws_;
  std::map<std::string, std::string> notes_;
  OwnedMemory sweep_;
  std::vector<void*> results_;  ///< [copy][operand], null: in the memory that the call was given
};

}  // namespace zl
