# With the real CUDA compiler: the types of an op and C++20 reach its .cu sources, kernels of two
# sources may share a name in a unity build, the static runtime is linked, and device code for the
# debugger is known as such. Needs no GPU.
include(${CMAKE_CURRENT_LIST_DIR}/project.cmake)
set(project_dir "${WORK_DIR}/cuda")
set(build_dir "${project_dir}/build")
file(WRITE "${project_dir}/CMakeLists.txt" "cmake_minimum_required(VERSION 3.25)
project(theirs LANGUAGES CXX)
enable_testing()
set(CMAKE_CUDA_STANDARD 17)
set(CMAKE_UNITY_BUILD ON)
include(\"${ZL_SOURCE_DIR}/cmake/ZlBench.cmake\")
add_library(harness INTERFACE)
add_library(ZlBench::harness_cuda ALIAS harness)
target_include_directories(harness INTERFACE \"${ZL_SOURCE_DIR}/harness/include\")
zl_add_perf_test(OP add CASE add.cpp GPU_SOURCES add.cu zero.cu TYPES f16 e4m3:f32 SHAPES 4096 IMPLS own)
")
set(check_types "#include <zl/registry.hpp>
#include <type_traits>
static_assert(std::is_same_v<zl::TypeList<ZL_OP_TYPES>,
              zl::TypeList<zl::Types<zl::f16>, zl::Types<zl::e4m3, zl::f32>>>);
static_assert(ZL_BACKEND_CUDA == 1 && __cplusplus > 201703L);\n")
file(WRITE "${project_dir}/zero.cu"
  "static __global__ void kernel() {}\nvoid launch_zero() { kernel<<<1, 1>>>(); }\n")
file(WRITE "${project_dir}/add.cu" "${check_types}void launch_zero();
static __global__ void kernel() {}
void launch() {\n  kernel<<<1, 1>>>();\n  launch_zero();\n}\n")
file(WRITE "${project_dir}/add.cpp" "${check_types}void launch();
namespace zl {
Declared& declared_cases() {
  static Declared declared;
  return declared;
}
bool detail::declare_cases(Declared declared) {
  declared_cases() = std::move(declared);
  return true;
}
}
#undef ZL_OP
#define ZL_OP(op, ...) int main() { launch(); return zl::detail::device_debug; }
ZL_OP(add, \"n\")\n")
# Whether it knows of device code for the debugger -> debug.
function(build_with flags)
  must_configure(-DZL_BACKENDS=cuda "-DCMAKE_CUDA_FLAGS=${flags}")
  execute_process(COMMAND ${CMAKE_COMMAND} --build "${build_dir}"
    RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "does not build: ${output}")
  endif()
  execute_process(COMMAND "${build_dir}/zl_add_cuda" RESULT_VARIABLE debug)
  set(debug ${debug} PARENT_SCOPE)
endfunction()
build_with(-G)
expect_equal("with nvcc -G" "${debug}" 1)
build_with("")
expect_equal("without" "${debug}" 0)
file(GET_RUNTIME_DEPENDENCIES EXECUTABLES "${build_dir}/zl_add_cuda"
  RESOLVED_DEPENDENCIES_VAR libraries UNRESOLVED_DEPENDENCIES_VAR missing)
if("${libraries};${missing}" MATCHES "libcudart")
  fail("linked to the shared CUDA runtime: ${libraries};${missing}")
endif()
