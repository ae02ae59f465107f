#pragma once

#include <ATen/Functions.h>
#include <ATen/cuda/CUDAGeneratorImpl.h>

#include <mutex>

#include "zl/error.hpp"

/// Numbers that PyTorch's operators draw during a capture.
namespace zl::torch {

/// A state of a GPU's default generator, from PyTorch's usual seed on, that calls may draw from
/// eagerly and while they are captured. A kernel in a graph reads its seed and offset from the
/// device's memory, and they stay as they are here: each call of a graph draws its own numbers,
/// and each replay the same ones.
class GraphGenerator {
 public:
  /// Enqueues work: make it outside of a capture.
  explicit GraphGenerator(c10::DeviceIndex device)
      : default_(at::cuda::detail::getDefaultCUDAGenerator(device)),
        state_(c10::make_intrusive<at::CUDAGeneratorState>()),
        generator_(at::make_generator<at::CUDAGeneratorImpl>(device, state_)) {
    const auto options = at::TensorOptions().device(at::kCUDA, device).dtype(at::kLong);
    state_->seed_extragraph_ = at::full({1}, static_cast<std::int64_t>(state_->seed_), options);
    state_->offset_extragraph_ = at::zeros({1}, options);
  }

  const at::Generator& get() const { return default_; }

  /// For the length of a call: the state is the default generator's.
  class Use {
   public:
    Use(GraphGenerator& of, bool capturing, bool first_of_capture)
        : of_(of), original_(exchange(of.generator_.getIntrusivePtr())) {
      of_.state_->capturing_ = capturing;
      if (first_of_capture) of_.state_->offset_intragraph_ = 0;
    }
    ~Use() {
      of_.state_->capturing_ = false;
      exchange(original_);
    }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

   private:
    c10::intrusive_ptr<c10::GeneratorImpl> exchange(
        const c10::intrusive_ptr<c10::GeneratorImpl>& state) {
      at::Generator generator = of_.default_;
      const std::lock_guard<std::mutex> lock(generator.mutex());
      auto before = generator.getIntrusivePtr()->graphsafe_get_state();
      generator.getIntrusivePtr()->graphsafe_set_state(state);
      return before;
    }

    GraphGenerator& of_;
    c10::intrusive_ptr<c10::GeneratorImpl> original_;
  };

 private:
  at::Generator default_;
  c10::intrusive_ptr<at::CUDAGeneratorState> state_;
  at::Generator generator_;
};

}  // namespace zl::torch
