#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "zl/case.hpp"
#include "zl/device_debug.hpp"

namespace zl {

/// One combination of types: an entry of TYPES in zl_add_perf_test().
template <class... T>
struct Types {};
template <class... Tuples>
struct TypeList {};

/// An op as its source file registers it.
struct Op {
  std::string name;
  std::vector<std::string> axes;
  struct Instance {
    std::string types;  ///< "e4m3:e4m3:bf16"
    std::function<void(Case&)> build;
  };
  std::vector<Instance> instances;
};

/// A case list as zl_add_perf_test() generates it, one an executable.
struct Declared {
  std::string_view op;
  std::string_view test_prefix;          ///< "perf.cuda.mm"
  std::vector<std::string_view> impls;   ///< those of this backend
  std::vector<std::string_view> versus;  ///< empty or one
  struct Row {
    std::string_view shape;                                              ///< "16x4096x7168"
    std::vector<std::pair<std::string_view, std::string_view>> columns;  ///< extra CSV columns
  };
  std::vector<Row> shapes;
  std::vector<std::string_view> flags;  ///< "--zl_method=graph", ...: before those of the user
  std::string_view unoptimized;         ///< why its times are none to rely on; empty: they are
};

/// Every op linked into this executable.
std::vector<Op>& registered_ops();
/// The list of this executable; empty where none was generated.
Declared& declared_cases();

namespace detail {

template <class... T>
std::string types_name() {
  std::string all;
  ((all += (all.empty() ? "" : ":"), all += name(dtype_of_v<T>)), ...);
  return all;
}
template <class F, class... T>
void add_instance(Op& op, F build, Types<T...>) {
  op.instances.push_back(
      {types_name<T...>(), [build](Case& c) { build.template operator()<T...>(c); }});
}
template <class F, class... Tuples>
bool register_op(std::string_view name, std::vector<std::string> axes, F build,
                 TypeList<Tuples...>) {
  Op op{std::string(name), std::move(axes), {}};
  (add_instance(op, build, Tuples{}), ...);
  registered_ops().push_back(std::move(op));
  return true;
}
bool declare_cases(Declared declared);

}  // namespace detail
}  // namespace zl

/// Registers `op`, a function template `template <class... T> void op(zl::Case&)`, with its axis
/// names in the order of a shape. ZL_OP_TYPES comes from TYPES of zl_add_perf_test().
#define ZL_OP(op, ...)                                                               \
  [[maybe_unused]] static const bool zl_registered_##op = ::zl::detail::register_op( \
      #op, {__VA_ARGS__}, []<class... T>(::zl::Case& c) { op<T...>(c); },            \
      ::zl::TypeList<ZL_OP_TYPES>{})

/// Emits `function<T...>` for every combination of TYPES: put it into the source file that holds
/// the template's body.
#define ZL_INSTANTIATE(function)                                                                  \
  namespace {                                                                                     \
  template <class... T>                                                                           \
  void* zl_address_of_##function(::zl::Types<T...>) {                                             \
    return reinterpret_cast<void*>(&function<T...>);                                              \
  }                                                                                               \
  template <class... Tuples>                                                                      \
  struct zl_emit_##function {                                                                     \
    explicit zl_emit_##function(::zl::TypeList<Tuples...>)                                        \
        : addresses{zl_address_of_##function(Tuples{})...} {}                                     \
    void* volatile addresses[sizeof...(Tuples)];                                                  \
  };                                                                                              \
  [[maybe_unused]] const zl_emit_##function zl_emitted_##function{::zl::TypeList<ZL_OP_TYPES>{}}; \
  }
