# What the list of cases, compiled as the op is, knows of the build: printed by an op's executable
# that has a main() of its own.
include(${CMAKE_CURRENT_LIST_DIR}/project.cmake)
write_project(op CXX "set(CMAKE_UNITY_BUILD ON)
target_include_directories(harness INTERFACE \"${ZL_SOURCE_DIR}/harness/include\")
zl_add_perf_test(OP add CASE add.cpp TYPES f32 SHAPES 1 IMPLS own)")
file(WRITE "${project_dir}/add.cpp" [==[
#include <cstdio>
#include <zl/registry.hpp>
namespace zl {
Declared& declared_cases() {
  static Declared declared;
  return declared;
}
bool detail::declare_cases(Declared declared) {
  declared_cases() = std::move(declared);
  return true;
}
}  // namespace zl
#undef ZL_OP
#define ZL_OP(op, ...) int main() { std::puts(zl::declared_cases().unoptimized.data()); }
ZL_OP(add, "n")
]==])

function(expect_said expected)
  must_configure(${ARGN})
  execute_process(COMMAND ${CMAKE_COMMAND} --build "${build_dir}"
    OUTPUT_VARIABLE output ERROR_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND "${build_dir}/zl_add_host"
    OUTPUT_VARIABLE said OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  expect_equal("${ARGN}" "${said}" "${expected}")
endfunction()

expect_said("built without optimization (CMAKE_BUILD_TYPE=Debug): configure with \
-DCMAKE_BUILD_TYPE=Release" -DCMAKE_BUILD_TYPE=Debug)
expect_said("" -DCMAKE_BUILD_TYPE=Release)
expect_said("built without optimization (CMAKE_BUILD_TYPE=): configure with \
-DCMAKE_BUILD_TYPE=Release" -DCMAKE_BUILD_TYPE=)
# As distributions and zl-bench's sanitizers build.
expect_said("" -DCMAKE_BUILD_TYPE=None -DCMAKE_CXX_FLAGS=-O1)
