#pragma once

/// PyTorch's operators, and others that take and return at::Tensor, as implementations of a case:
/// for authors whose target links PyTorch, as `LIBRARIES ${TORCH_LIBRARIES}` after
/// find_package(Torch). Nothing else of zl-bench needs it. For host and cuda.
#include <c10/core/InferenceMode.h>
#include <c10/util/Exception.h>

#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "zl/bench.hpp"
#include "zl/torch/place.hpp"
#include "zl/torch/tensors.hpp"

namespace zl::torch {

/// An argument of impl(): the outputs that the function returns and does not write.
template <class... T>
struct Returned {
  std::tuple<Operand<T>...> outputs;
};
template <class... T>
Returned<T...> returned(Operand<T>... outputs) {
  return {{outputs...}};
}

/// An argument of impl(): the device's default generator, which the function draws from whether it
/// is given it, as at::bernoulli(x, generator), or not, as at::dropout().
struct DefaultGenerator {};
inline DefaultGenerator generator(Case& c) {
  // Tells the harness that no two calls leave the same; the numbers are PyTorch's own.
  if (c.draws.empty()) static_cast<void>(c.random(1));
  return {};
}

namespace detail {

/// What the function is given for an argument: a scalar as it is.
template <class T>
class Argument {
 public:
  Argument(const Case&, T value) : value_(std::move(value)) {}
  const T& get(const Launch&, const Place&) { return value_; }

 private:
  T value_;
};
template <class T>
class Argument<Operand<T>> {
 public:
  Argument(const Case& c, Operand<T> operand)
      : operand_(operand), views_(c.operands[operand.index()]) {}
  const at::Tensor& get(const Launch& launch, const Place& place) {
    void* const memory = const_cast<std::remove_const_t<T>*>(launch.ptr(operand_));
    return views_.of_copy(launch.copy(), memory, place.device());
  }

 private:
  Operand<T> operand_;
  Views views_;
};
template <>
class Argument<DefaultGenerator> {
 public:
  Argument(const Case&, DefaultGenerator) {}
  const at::Generator& get(const Launch&, const Place& place) { return place.generator(); }
};

/// What calls returned for one output.
template <class T>
class Result {
 public:
  Result(const Case& c, Operand<T> output)
      : output_(output), kept_(output.index(), c.operands[output.index()]) {}
  void drop(const Launch& launch) {
    launch.result_at(output_, static_cast<T*>(nullptr));
    kept_.drop(launch.copy());
  }
  void keep(const Launch& launch, const Place& place, at::Tensor result) {
    void* const memory = kept_.keep(launch.copy(), std::move(result), place.device());
    launch.result_at(output_, static_cast<T*>(memory));
  }

 private:
  Operand<T> output_;
  Results kept_;
};

/// The calls of one implementation.
template <class F, class Outputs, class... Args>
class Calls;
template <class F, class... Outputs, class... Args>
class Calls<F, Returned<Outputs...>, Args...> {
  static_assert(
      std::is_invocable_v<F&, decltype(std::declval<Argument<Args>&>().get(
                                  std::declval<const Launch&>(), std::declval<const Place&>()))...>,
      "zl::torch::impl(): cannot be called with these arguments, each operand as an at::Tensor, "
      "the "
      "generator as an at::Generator, and no stream");

 public:
  Calls(const Case& c, std::string name, const Returned<Outputs...>& outputs, F function,
        Args... args)
      : name_(std::move(name)),
        results_(
            std::apply([&c](auto... output) { return std::tuple(Result<Outputs>(c, output)...); },
                       outputs.outputs)),
        function_(std::move(function)),
        arguments_(Argument<Args>(c, std::move(args))...) {}

  void operator()(const Launch& launch) {
    try {
      call(launch);
    } catch (const c10::OutOfMemoryError& e) {
      throw Error(Errc::out_of_memory, 0, "c10::OutOfMemoryError", name_,
                  e.what_without_backtrace());
    } catch (const c10::Error& e) {
      throw Error(Errc::device, 0, "c10::Error", name_, e.what_without_backtrace());
    }
  }

 private:
  static constexpr bool draws = (std::is_same_v<Args, DefaultGenerator> || ...);

  void call(const Launch& launch) {
    const c10::InferenceMode without_autograd;
    if (!place_) place_.emplace(draws, launch.ptr(Operand<const u8>(nullptr, 0)));
    const Place::Call scope(*place_, launch.stream());
    std::apply([&](auto&... result) { (result.drop(launch), ...); }, results_);
    std::apply(
        [&](auto&... argument) { keep(launch, function_, argument.get(launch, *place_)...); },
        arguments_);
  }
  template <class... A>
  void keep(const Launch& launch, F& function, const A&... arguments) {
    if constexpr (sizeof...(Outputs) == 0) {
      function(arguments...);
    } else if constexpr (sizeof...(Outputs) == 1) {
      std::get<0>(results_).keep(launch, *place_, function(arguments...));
    } else {
      keep_each(launch, function(arguments...), std::index_sequence_for<Outputs...>());
    }
  }
  template <class Tuple, std::size_t... I>
  void keep_each(const Launch& launch, Tuple&& returned, std::index_sequence<I...>) {
    static_assert(
        std::tuple_size_v<std::remove_cvref_t<Tuple>> == sizeof...(I),
        "zl::torch::returned(): name an output for each tensor that the function returns");
    (std::get<I>(results_).keep(launch, *place_, std::get<I>(std::forward<Tuple>(returned))), ...);
  }

  std::string name_;
  std::tuple<Result<Outputs>...> results_;
  F function_;
  std::tuple<Argument<Args>...> arguments_;
  std::optional<Place> place_;  ///< from the first call on
};

}  // namespace detail

/// An implementation: `function(arguments...)`, each operand passed as a tensor that is a
/// contiguous view of the call's copy, without autograd and with the call's stream as PyTorch's
/// current one. What it allocates in a capture comes from a pool of that graph. An error of
/// PyTorch's is a device's error, as one of a kernel would be.
template <class F, class... Args>
void impl(Case& c, std::string name, F function, Args... args) {
  impl(c, std::move(name), Returned<>{}, std::move(function), std::move(args)...);
}

/// The same for a function that returns its result: as an output of one copy it is what the calls
/// with that copy return last, and the next of them may have its memory again. A usage error where
/// it is not what the case declares. In a rotation results are as cold as other outputs; where they
/// are not, as those of a function that returns a tensor of its own each time, the result says
/// warm.
template <class... Outputs, class F, class... Args>
void impl(Case& c, std::string name, Returned<Outputs...> outputs, F function, Args... args) {
  if (c.operands.empty()) {
    throw Error(Errc::usage,
                "op " + c.request.op + " declares no operand before its implementation");
  }
  auto calls = std::make_shared<detail::Calls<F, Returned<Outputs...>, Args...>>(
      c, name, outputs, std::move(function), std::move(args)...);
  c.run(std::move(name), [calls](const Launch& launch) { (*calls)(launch); });
}

}  // namespace zl::torch
