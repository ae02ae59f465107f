#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <type_traits>
#include <utility>

#include "zl/error.hpp"
#include "zl/philox.hpp"
#include "zl/stream.hpp"

namespace zl {

/// A tensor that a case declared. T is const for an input. A handle: the memory belongs to the
/// harness, which may hold several copies of it, one of them per call.
template <class T>
class Operand;
class Random;

/// One call as an implementation sees it: its stream and its copies of the operands.
class Launch {
 public:
  static constexpr std::size_t max_draws = 4;

  /// `results`, one for each operand of the copy: where result_at() goes; null where it may not be
  /// called.
  Launch(Stream stream, void* const* pointers, std::map<std::string, std::string>* notes,
         std::size_t copy = 0, void** results = nullptr)
      : stream_(stream), pointers_(pointers), notes_(notes), copy_(copy), results_(results) {}

  Stream stream() const { return stream_; }
  /// Device memory of this call's copy of an operand.
  template <class T>
  T* ptr(Operand<T> operand) const {
    return static_cast<T*>(pointers_[operand.index()]);
  }
  /// Which of the harness's copies of the operands this is, counted from 0: for an implementation
  /// that keeps something for each.
  std::size_t copy() const { return copy_; }
  /// For an implementation that allocates its result: this call leaves `output` at `memory` and not
  /// in the copy that it was given, and the harness will look there. The memory has to stay until
  /// the next call with this copy, or one that reports null. On host it may only be called while
  /// the call runs. A usage error in a reset.
  template <class T>
  void result_at(Operand<T> output, T* memory) const {
    if (results_ == nullptr)
      throw Error(Errc::usage, "result_at() is for an implementation's call");
    results_[output.index()] = memory;
  }
  /// The numbers reserved for this call.
  Philox draw(Random random) const;
  /// Something about the implementation that belongs in the result, as its algorithm or a
  /// library's version. On host it may only be called while the call runs.
  void note(const std::string& key, const std::string& value) const {
    std::string& noted = (*notes_)[key];
    if (noted != value) noted = value;  // every call notes, and its enqueueing is timed
  }

  /// What the harness reserved, one entry for each Case::random().
  std::array<Philox, max_draws> draws;

 private:
  Stream stream_;
  void* const* pointers_;
  std::map<std::string, std::string>* notes_;
  std::size_t copy_;
  void** results_;
};

namespace detail {

template <class T>
struct is_operand : std::false_type {};
template <class T>
struct is_operand<Operand<T>> : std::true_type {};

/// What a case passes for an operand: the pointer, the drawn numbers, or the scalar as it is.
template <class T>
T* argument(const Launch& launch, const Operand<T>& operand) {
  return launch.ptr(operand);
}
inline Philox argument(const Launch& launch, const Random& random);
template <class T>
const T& argument(const Launch&, const T& scalar) {
  return scalar;
}

/// Passes `value` to a parameter of type P. A pointer may become one to another type of the same
/// size (`f16*` to `__half*`), never lose its const; an integer must fit.
template <class P, class V>
P convert(const V& value) {
  if constexpr (std::is_pointer_v<P> && std::is_pointer_v<V> && !std::is_convertible_v<V, P>) {
    using To = std::remove_pointer_t<P>;
    using From = std::remove_pointer_t<V>;
    static_assert(std::is_const_v<To> || !std::is_const_v<From>,
                  "an input's pointer is const: declare the operand with out() or inout()");
    static_assert(sizeof(To) == sizeof(From),
                  "the function's element type has another size than the operand's");
    return reinterpret_cast<P>(value);
  } else if constexpr (std::is_integral_v<P> && std::is_integral_v<V> && !std::is_same_v<P, V> &&
                       // NOLINTNEXTLINE(bugprone-sizeof-expression): no pointers get this far
                       sizeof(P) < sizeof(V)) {
    const P narrow = static_cast<P>(value);
    if (static_cast<V>(narrow) != value) {
      throw Error(Errc::usage, "the value " + std::to_string(value) +
                                   " does not fit the implementation's " +
                                   std::to_string(8 * sizeof(P)) +
                                   "-bit parameter: make that a zl::i64, or take a smaller shape");
    }
    return narrow;
  } else {
    return static_cast<P>(value);
  }
}

/// Whether a function's first parameter may be a stream; a pointer to numbers is an operand.
template <class S>
inline constexpr bool may_be_stream =
    !std::is_arithmetic_v<std::remove_cv_t<std::remove_pointer_t<std::remove_cvref_t<S>>>>;

template <class S, class... P, class... Args>
std::function<void(const Launch&)> bind(void (*function)(S, P...), Args... args) {
  static_assert(
      may_be_stream<S>,
      "impl(): the function's first parameter must be a stream; wrap one that takes none: "
      "[](zl::Stream, float* y, long n) { function(y, n); }");
  static_assert(!may_be_stream<S> || sizeof...(P) == sizeof...(Args),
                "impl() needs one argument for each parameter after the stream");
  return [=](const Launch& launch) {
    if constexpr (sizeof...(P) == sizeof...(Args)) {  // else the error above says it all
      function(launch.stream(), convert<P>(argument(launch, args))...);
    }
  };
}
template <class F, class... Args>
std::function<void(const Launch&)> bind(F function, Args... args) {
  static_assert(
      std::is_invocable_v<const F&, Stream,
                          decltype(argument(std::declval<const Launch&>(),
                                            std::declval<const Args&>()))...>,
      "impl(): cannot be called with a zl::Stream and then these arguments, each operand as a "
      "pointer to its own type");
  return [=](const Launch& launch) { function(launch.stream(), argument(launch, args)...); };
}

}  // namespace detail
}  // namespace zl
