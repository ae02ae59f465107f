#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "measure/guards.hpp"
#include "measure/schedule.hpp"

namespace zl {

/// The operands of a case on the device, rotated ones in several copies of equal content.
class Buffers {
 public:
  /// Throws out_of_memory with the bytes that one copy of everything needs.
  Buffers(Device& device, const Case& c, const Rotation& rotation, std::uint64_t case_key);

  std::int64_t copies() const { return copies_; }
  /// From now on all calls share copy 0.
  void share_one_copy() { copies_ = 1; }
  /// By operand, the memory of one copy.
  void* const* pointers(std::int64_t copy) const {
    return &pointers_[static_cast<std::size_t>(copy) * operands_];
  }
  /// The key that the elements of an input are drawn with.
  std::uint64_t key(std::size_t operand) const;
  /// From the next restore on, inputs are drawn as for another seed, or as for the case's again.
  void draw_other_inputs(bool other) { other_inputs_ = other; }

  /// Draws an input into memory of its size.
  void draw(std::size_t operand, void* to, Stream stream) const;
  /// Draws the inputs of copy 0 anew, the in-place ones included.
  void restore(Stream stream);
  /// The same for every copy, of all inputs or of the in-place ones alone.
  void restore_all(Stream stream);
  void restore_all_in_place(Stream stream);
  /// Fills the outputs of a copy with a pattern that no op writes.
  void poison(std::int64_t copy, Stream stream);
  /// The same for the work space, which nothing may rely on: what one call left there must not make
  /// up for what the next one leaves out.
  void poison_scratch(Stream stream);

  /// Fills what lies before and behind copy 0 of every operand.
  void put_up_fences(Stream stream);
  /// The operand beside which a call wrote since then, and where; empty: none.
  std::string torn_fence(Stream stream);

 private:
  struct Fence {
    char* begin;
    std::int64_t bytes;
    const char* where;
  };
  /// Of copy 0.
  std::array<Fence, 2> fences(std::size_t operand) const;
  void generate_all(std::size_t operand, Stream stream);

  Device& device_;
  const Case& case_;
  std::size_t operands_;
  std::int64_t copies_;
  std::uint64_t case_key_;
  bool other_inputs_ = false;
  std::vector<OwnedMemory> memory_;
  std::vector<void*> pointers_;  ///< [copy][operand]
};

}  // namespace zl
