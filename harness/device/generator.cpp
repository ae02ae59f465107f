#include "device/generator.hpp"

#include "zl/error.hpp"

namespace zl {

Generator::Generator(std::string name, std::uint64_t seed)
    : name_(std::move(name)),
      initial_seed_(seed),
      state_(std::make_unique<GeneratorState>(GeneratorState{seed, 0, false})) {}

Philox Generator::reserve(std::int64_t blocks, bool stream_is_capturing) {
  if (state_->capturing && !stream_is_capturing) {
    throw Error(Errc::capture_rule, "generator " + name_ +
                                        " is marked as capturing, but the call that draws from it "
                                        "is not on a stream that is being captured");
  }
  const Philox call{state_->seed, state_->offset};
  state_->offset += static_cast<std::uint64_t>(blocks);
  return call;
}

ScratchGeneratorState::ScratchGeneratorState(Generator* generator) : generator_(generator) {
  if (generator_ == nullptr) return;
  auto scratch =
      std::make_unique<GeneratorState>(GeneratorState{generator_->initial_seed_, 0, true});
  original_ = std::move(generator_->state_);
  generator_->state_ = std::move(scratch);
}

ScratchGeneratorState::~ScratchGeneratorState() {
  if (generator_ != nullptr) generator_->state_ = std::move(original_);
}

}  // namespace zl
