#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "zl/philox.hpp"

namespace zl {

/// The state that draws advance: Philox 4x32-10, a seed and an offset in blocks.
struct GeneratorState {
  std::uint64_t seed = 0;
  std::uint64_t offset = 0;
  bool capturing = false;
};

/// The one generator of a device and process.
class Generator {
 public:
  Generator(std::string name, std::uint64_t seed);

  /// Reserves `blocks` for one call. Where the state is marked as capturing while the call's
  /// stream is not being captured, the draw is an error that names the generator.
  Philox reserve(std::int64_t blocks, bool stream_is_capturing);
  std::uint64_t initial_seed() const { return initial_seed_; }
  const GeneratorState& state() const { return *state_; }

 private:
  friend class ScratchGeneratorState;
  std::string name_;
  std::uint64_t initial_seed_;
  std::unique_ptr<GeneratorState> state_;
};

/// For the length of a capture: swaps in a scratch state seeded from the initial seed and puts the
/// original object back, whatever happened in between. A null generator is left alone.
class ScratchGeneratorState {
 public:
  explicit ScratchGeneratorState(Generator* generator);
  ~ScratchGeneratorState();
  ScratchGeneratorState(const ScratchGeneratorState&) = delete;
  ScratchGeneratorState& operator=(const ScratchGeneratorState&) = delete;

 private:
  Generator* generator_;
  std::unique_ptr<GeneratorState> original_;
};

}  // namespace zl
