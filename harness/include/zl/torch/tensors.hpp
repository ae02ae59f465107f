#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/ops/from_blob.h>
#include <c10/core/ScalarType.h>

#include <string>
#include <vector>

#include "zl/case.hpp"

#if __has_include(<c10/util/Float8_e4m3fn.h>)
#define ZL_TORCH_HAS_E4M3 1
#endif

/// Operands as PyTorch's tensors.
namespace zl::torch {

inline at::ScalarType scalar_type(DType type) {
  switch (type) {
    case DType::f16:
      return at::kHalf;
    case DType::bf16:
      return at::kBFloat16;
    case DType::e4m3:
#ifdef ZL_TORCH_HAS_E4M3
      return at::kFloat8_e4m3fn;
#else
      throw Error(Errc::usage, "this PyTorch has no 8-bit floats: e4m3 needs 2.1 or later");
#endif
    case DType::f32:
      return at::kFloat;
    case DType::f64:
      return at::kDouble;
    case DType::i32:
      return at::kInt;
    case DType::i64:
      return at::kLong;
    case DType::u8:
      return at::kByte;
  }
  throw Error(Errc::internal, "an element type without a name in PyTorch");
}

/// One operand's tensors, a contiguous view of each copy: made by the first call with it, because
/// making one would be part of a call's time on host.
class Views {
 public:
  explicit Views(const OperandSpec& spec) : type_(scalar_type(spec.type)), shape_(spec.shape) {}

  const at::Tensor& of_copy(std::size_t copy, void* memory, at::Device device) {
    if (copy >= views_.size()) views_.resize(copy + 1);
    at::Tensor& view = views_[copy];
    if (!view.defined() || view.data_ptr() != memory) {
      view = at::for_blob(memory, shape_)
                 .options(at::TensorOptions().dtype(type_).device(device))
                 .target_device(device)
                 .make_tensor();
    }
    return view;
  }

 private:
  at::ScalarType type_;
  std::vector<std::int64_t> shape_;
  std::vector<at::Tensor> views_;
};

/// What calls returned for one output, by copy.
class Results {
 public:
  Results(std::size_t operand, const OperandSpec& spec)
      : operand_(operand), type_(scalar_type(spec.type)), shape_(spec.shape) {}

  /// Gives the memory of the last call with this copy back, so that the next one may have it again.
  void drop(std::size_t copy) {
    if (copy >= kept_.size()) kept_.resize(copy + 1);
    kept_[copy].reset();
  }
  /// Keeps it until then. A usage error where it is not what the case declares.
  void* keep(std::size_t copy, at::Tensor result, at::Device device) {
    if (!result.defined() || result.scalar_type() != type_ || result.sizes() != shape_ ||
        result.device() != device || !result.is_contiguous()) {
      throw Error(Errc::usage, "output " + std::to_string(operand_) + ": the function returned " +
                                   (result.defined() ? description(result) : "no tensor") +
                                   "; the case declares " + declared(device));
    }
    kept_[copy] = std::move(result);
    return kept_[copy].data_ptr();
  }

 private:
  static std::string text(at::IntArrayRef numbers) {
    std::string all;
    for (const std::int64_t number : numbers)
      all += (all.empty() ? "" : ", ") + std::to_string(number);
    return "{" + all + "}";
  }
  static std::string description(const at::Tensor& tensor) {
    return std::string(c10::toString(tensor.scalar_type())) + " " + text(tensor.sizes()) +
           " of strides " + text(tensor.strides()) + " on " + tensor.device().str();
  }
  std::string declared(at::Device device) const {
    return std::string(c10::toString(type_)) + " " + text(shape_) + ", contiguous on " +
           device.str();
  }

  std::size_t operand_;
  at::ScalarType type_;
  std::vector<std::int64_t> shape_;
  std::vector<at::Tensor> kept_;
};

}  // namespace zl::torch
