#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "zl/fill.hpp"
#include "zl/launch.hpp"
#include "zl/tolerance.hpp"
#include "zl/types.hpp"

namespace zl {

using Shape = std::vector<std::int64_t>;

/// How an operand takes part in a call.
enum class Role : std::uint8_t { in, out, inout, scratch };

/// What a case declared about one operand.
struct OperandSpec {
  Role role = Role::in;
  DType type = DType::u8;
  Shape shape;
  Fill fill;          ///< in, inout
  bool warm = false;  ///< shared by all calls: the op before it has just written it

  std::int64_t elements() const;
  std::size_t bytes() const;
  /// An output's rows are all its axes but the last; a tensor of one axis has rows of one element.
  std::int64_t rows() const;
  std::int64_t row_length() const;
};

/// Rows [first, last) of an output.
struct Rows {
  std::int64_t first = 0;
  std::int64_t last = 0;
};

/// Host copies of operands, as a reference sees them.
class HostView {
 public:
  HostView(const void* const* pointers, const Philox* draws) : pointers_(pointers), draws_(draws) {}
  const void* data(std::size_t operand) const { return pointers_[operand]; }
  const Philox& draw(std::size_t random) const { return draws_[random]; }

 private:
  const void* const* pointers_;
  const Philox* draws_;
};

/// The reference of one output.
struct Expectation {
  std::size_t output = 0;
  std::function<void(Rows, double*, const HostView&)> reference;
  std::function<void(Rows, double*, const HostView&)> meaning;  ///< may be empty
  std::vector<std::size_t> whole;      ///< operands that the reference may read anywhere
  std::vector<std::size_t> same_rows;  ///< operands of which it reads rows [first, last) only
  Tolerance tolerance;
  bool drawn = false;  ///< the reference depends on drawn numbers
};

struct Implementation {
  std::string name;
  std::function<void(const Launch&)> call;
};

/// What CMake chose for a case: the axes' values and the implementation.
struct CaseRequest {
  std::string op;
  std::string types;  ///< "e4m3:e4m3:bf16"
  std::vector<std::string> axis_names;
  std::vector<std::int64_t> axis_values;
};

class Case;

template <class T>
class Operand {
 public:
  Operand(Case* owner, std::size_t index) : owner_(owner), index_(index) {}
  /// An output or inout operand as one that is only read.
  template <class U>
  requires std::is_same_v<const U, T> Operand(const Operand<U>& writable)
      : owner_(writable.owner_), index_(writable.index_) {}
  /// The op before this one has just written this operand: all calls share one copy of it, and
  /// with CACHE mixed it is in L2 when a call starts.
  Operand warm() const;
  std::size_t index() const { return index_; }

 private:
  template <class U>
  friend class Operand;
  Case* owner_;
  std::size_t index_;
};

/// The right to draw `blocks` Philox blocks a call. Passed to a function it is a zl::Philox.
class Random {
 public:
  explicit Random(std::size_t index) : index_(index) {}
  std::size_t index() const { return index_; }

 private:
  std::size_t index_;
};

/// In expect(): the reference reads only the rows of this operand that it was asked to fill.
template <class T>
struct SameRows {
  Operand<T> operand;
};
template <class T>
SameRows<T> same_rows(Operand<T> operand) {
  return {operand};
}

/// A case under construction: an op's function declares its operands, implementations and
/// references here, once for every backend, shape and combination of types.
class Case {
 public:
  explicit Case(CaseRequest request) : request(std::move(request)) {}
  Case(const Case&) = delete;
  Case& operator=(const Case&) = delete;

  /// The value of an axis named in ZL_OP. An unknown name is a usage error.
  std::int64_t axis(std::string_view name) const;

  /// A tensor that calls read. values() of another count than its elements is a usage error.
  template <class T>
  Operand<const T> in(Shape shape, Fill fill) {
    return {this, add({Role::in, dtype_of_v<T>, std::move(shape), fill, false})};
  }
  /// A tensor that calls write whole: an element left unwritten is a wrong result.
  template <class T>
  Operand<T> out(Shape shape) {
    return {this, add({Role::out, dtype_of_v<T>, std::move(shape), {}, false})};
  }
  /// A tensor that calls read and write; restored to `fill` before each comparison.
  template <class T>
  Operand<T> inout(Shape shape, Fill fill) {
    return {this, add({Role::inout, dtype_of_v<T>, std::move(shape), fill, false})};
  }
  /// Work space of `bytes`: one for all calls, neither rotated nor counted as traffic.
  Operand<u8> scratch(std::int64_t bytes) {
    return {this, add({Role::scratch, DType::u8, {bytes}, {}, false})};
  }
  /// Numbers drawn by each call: `blocks` Philox blocks of four words. At most Launch::max_draws
  /// of them a case.
  Random random(std::int64_t blocks);

  /// Arithmetic operations of one call.
  void flops(double count) { declared_flops = count; }
  /// Bytes that one call must move; the sum of the operands where this is not said.
  void bytes(double count) { declared_bytes = count; }

  /// Sets `operand` to zero before each call, outside the time measured: for what a call
  /// accumulates into.
  template <class T>
  void reset(Operand<T> operand) {
    zeroed.push_back(operand.index());
  }
  /// Any other work before each call, outside the time measured.
  void reset(std::function<void(const Launch&)> enqueue) { resets.push_back(std::move(enqueue)); }

  /// An implementation: `function(stream, arguments...)`, each operand passed as the pointer of
  /// the call's copy. On a GPU it enqueues its kernels on the stream; on host it computes.
  template <class F, class... Args>
  void impl(std::string name, F function, Args... args) {
    implementations.push_back({std::move(name), detail::bind(function, args...)});
  }
  /// The same for what impl() cannot say.
  void run(std::string name, std::function<void(const Launch&)> enqueue) {
    implementations.push_back({std::move(name), std::move(enqueue)});
  }

  /// The reference of `output`: `function(Rows, double* out, arguments...)` fills the rows in
  /// double precision, on the host, where operands are host pointers to their values before the
  /// call and zl::Random is the zl::Philox that the call was given. `out` starts at row
  /// `rows.first`. The tolerance is that of one rounding unless within() says more.
  template <class T, class F, class... Args>
  Case& expect(Operand<T> output, F function, Args... args) {
    Expectation e;
    e.output = output.index();
    e.tolerance = zl::tolerance<T>();
    (note_argument(e, args), ...);
    e.reference = [=](Rows rows, double* out, const HostView& view) {
      call_reference(function, rows, out, host_argument(view, args)...);
    };
    expectations.push_back(std::move(e));
    return *this;
  }
  /// For an output of which several results are right, as the indices of equal values: what of it
  /// the reference of the last expect() gives. `function(Rows, double* got, arguments...)` turns
  /// the rows that a call left into that, for instance indices into the values that they point at,
  /// and what means nothing into a number that the reference never gives. Repeated calls of one
  /// implementation must still leave the same output.
  template <class F, class... Args>
  Case& meaning(F function, Args... args) {
    Expectation& e = last_expectation("meaning");
    (note_argument(e, args), ...);
    e.meaning = [=](Rows rows, double* got, const HostView& view) {
      call_reference(function, rows, got, host_argument(view, args)...);
    };
    return *this;
  }
  /// The tolerance of the last expect().
  Case& within(Tolerance tolerance);

  // What was declared; the harness reads it.
  CaseRequest request;
  std::vector<OperandSpec> operands;
  std::vector<std::int64_t> draws;  ///< blocks a call, one entry for each random()
  std::vector<std::size_t> zeroed;
  std::vector<std::function<void(const Launch&)>> resets;
  std::vector<Implementation> implementations;
  std::vector<Expectation> expectations;
  std::optional<double> declared_flops;
  std::optional<double> declared_bytes;

  bool has_resets() const { return !zeroed.empty() || !resets.empty(); }
  /// Bytes of one call: declared, or in + out + 2 inout.
  double traffic_bytes() const;

 private:
  std::size_t add(OperandSpec spec);
  Expectation& last_expectation(const char* caller);

  template <class T>
  static const T* host_argument(const HostView& view, const Operand<T>& operand) {
    return static_cast<const T*>(view.data(operand.index()));
  }
  template <class T>
  static const T* host_argument(const HostView& view, const SameRows<T>& rows) {
    return host_argument(view, rows.operand);
  }
  static Philox host_argument(const HostView& view, const Random& random) {
    return view.draw(random.index());
  }
  template <class T>
  static const T& host_argument(const HostView&, const T& scalar) {
    return scalar;
  }
  template <class... P, class... Args>
  static void call_reference(void (*function)(Rows, double*, P...), Rows rows, double* out,
                             const Args&... args) {
    static_assert(
        sizeof...(P) == sizeof...(Args),
        "expect() and meaning() need one argument for each parameter after Rows and double*");
    if constexpr (sizeof...(P) == sizeof...(Args)) {
      function(rows, out, detail::convert<P>(args)...);
    }
  }
  template <class F, class... Args>
  static void call_reference(const F& function, Rows rows, double* out, const Args&... args) {
    function(rows, out, args...);
  }
  static void note_once(std::vector<std::size_t>& operands, std::size_t operand) {
    for (std::size_t noted : operands) {
      if (noted == operand) return;
    }
    operands.push_back(operand);
  }
  template <class T>
  static void note_argument(Expectation& e, const Operand<T>& operand) {
    note_once(e.whole, operand.index());
  }
  template <class T>
  static void note_argument(Expectation& e, const SameRows<T>& rows) {
    note_once(e.same_rows, rows.operand.index());
  }
  static void note_argument(Expectation& e, const Random&) { e.drawn = true; }
  template <class T>
  static void note_argument(Expectation&, const T&) {}

  void mark_warm(std::size_t operand) { operands[operand].warm = true; }
  template <class T>
  friend class Operand;
};

template <class T>
Operand<T> Operand<T>::warm() const {
  owner_->mark_warm(index_);
  return *this;
}

inline Philox Launch::draw(Random random) const { return draws[random.index()]; }
namespace detail {
inline Philox argument(const Launch& launch, const Random& random) { return launch.draw(random); }
}  // namespace detail

}  // namespace zl
