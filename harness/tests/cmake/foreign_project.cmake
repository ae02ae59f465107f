# zl-bench inside a project that is not ours, in a path with a space: its op is built and run. The
# harness is a fake that checks what reached it.
include(${CMAKE_CURRENT_LIST_DIR}/project.cmake)
set(project_dir "${WORK_DIR}/their project")
set(build_dir "${project_dir}/the build")

file(WRITE "${project_dir}/CMakeLists.txt" [==[
cmake_minimum_required(VERSION 3.25)
project(theirs LANGUAGES CXX)
enable_testing()
set(CMAKE_CXX_STANDARD 17)
add_subdirectory("third party/zl-bench")
add_subdirectory(ops)
]==])
file(WRITE "${project_dir}/ops/CMakeLists.txt" [==[
zl_add_perf_test(OP add CASE add.cpp SOURCES kernel.cpp TYPES f16 e4m3:f32 SHAPES 4096
  CASES "more sizes.csv" IMPLS own other VERSUS own QUANTILES 0.5 0.2)
]==])
file(WRITE "${project_dir}/ops/more sizes.csv" "model,n\na \\ b,8\n")
set(check_types "#include <zl/registry.hpp>
#include <type_traits>
static_assert(std::is_same_v<zl::TypeList<ZL_OP_TYPES>,
              zl::TypeList<zl::Types<zl::f16>, zl::Types<zl::e4m3, zl::f32>>>);
static_assert(ZL_BACKEND_HOST == 1 && __cplusplus > 201703L);\n")
file(WRITE "${project_dir}/ops/add.cpp" "${check_types}ZL_OP(add, \"n\");\n")
file(WRITE "${project_dir}/ops/kernel.cpp" "${check_types}")

set(fake "${project_dir}/third party/zl-bench")
file(COPY "${ZL_SOURCE_DIR}/cmake" DESTINATION "${fake}")
file(WRITE "${fake}/CMakeLists.txt" [==[
include(cmake/ZlBench.cmake)
add_library(zl_harness_host STATIC main.cpp)
add_library(ZlBench::harness_host ALIAS zl_harness_host)
target_include_directories(zl_harness_host PUBLIC .)
target_compile_features(zl_harness_host PUBLIC cxx_std_20)
]==])
file(WRITE "${fake}/zl/registry.hpp" [==[
#pragma once
#include <string_view>
#include <utility>
#include <vector>
namespace zl {
struct f16 {};
struct e4m3 {};
using f32 = float;
template <class... T>
struct Types {};
template <class... T>
struct TypeList {};
struct Declared {
  std::string_view op, test_prefix;
  std::vector<std::string_view> impls, versus;
  struct Row {
    std::string_view shape;
    std::vector<std::pair<std::string_view, std::string_view>> columns;
  };
  std::vector<Row> shapes;
  std::vector<std::string_view> flags;
  std::string_view unoptimized;
};
Declared& declared_cases();
namespace detail {
bool declare_cases(Declared);
}
}  // namespace zl
#define ZL_OP(op, ...) [[maybe_unused]] static const char* const zl_op = #op
]==])
file(WRITE "${fake}/main.cpp" [==[
#include "zl/registry.hpp"
zl::Declared& zl::declared_cases() {
  static Declared d;
  return d;
}
bool zl::detail::declare_cases(Declared d) {
  declared_cases() = d;
  return true;
}
int main(int argc, char** argv) {
  const zl::Declared& d = zl::declared_cases();
  const bool declared =
      d.op == "add" && d.test_prefix == "perf.host.add" && d.impls.size() == 2 &&
      d.versus.size() == 1 && d.versus[0] == "own" && d.flags.size() == 1 &&
      d.flags[0] == "--zl_quantiles=0.5,0.2" && d.shapes.size() == 2 && d.shapes[0].shape == "4096" &&
      d.shapes[0].columns.empty() && d.shapes[1].shape == "8" &&
      d.shapes[1].columns == std::vector<std::pair<std::string_view, std::string_view>>{
                                 {"model", "a \\ b"}};
  const auto starts = [&](int i, std::string_view text) {
    return std::string_view(argv[i]).substr(0, text.size()) == text;
  };
  if (!declared || argc != 5 || !starts(1, "--zl_case=") || !starts(2, "--zl_tags") ||
      !starts(3, "--zl_result_dir=") || !starts(4, "--zl_timeout_s=300")) {
    return 2;
  }
  return std::string_view(argv[1]) == "--zl_case=own/f16/8" ? 77 : 0;
}
]==])

must_configure()
execute_process(COMMAND ${CMAKE_COMMAND} --build "${build_dir}"
  RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "does not build: ${output}")
endif()
execute_process(COMMAND ${CMAKE_CTEST_COMMAND} --test-dir "${build_dir}" -L "^perf$" -j4
  RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(NOT result EQUAL 0 OR NOT output MATCHES "0 tests failed out of 8")
  fail("not all of its 8 tests pass: ${output}")
endif()
if(NOT output MATCHES "perf.host.add.own.f16.8 [.]+[*]+Skipped")
  fail("exit code 77 is not a skip: ${output}")
endif()
