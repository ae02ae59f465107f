# The README's op with a CUDA kernel and a package with host and cuda, in a project of C++ only and in
# a path with a space: compiled by the real nvcc, linked to the static runtime. Needs no GPU.
#   ZL_BUILD_DIR  the build tree that host comes from
include(${CMAKE_CURRENT_LIST_DIR}/project.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/prefix.cmake)

# A project that brings zl-bench along can install it, if it says so.
set(project_dir "${WORK_DIR}/with zl-bench")
set(build_dir "${project_dir}/build")
file(WRITE "${project_dir}/CMakeLists.txt" "cmake_minimum_required(VERSION 3.25)
project(theirs LANGUAGES CXX)
add_subdirectory(\"${ZL_SOURCE_DIR}\" zl-bench)
")
must_configure(-DZL_BACKENDS=cuda -DZL_INSTALL=ON -DCMAKE_UNITY_BUILD=ON)  # quicker to compile
run_command(${CMAKE_COMMAND} --build "${build_dir}" --target zl_harness_cuda)
install_from("${ZL_BUILD_DIR}" "${build_dir}")  # of two backends, into one prefix

file(COPY "${ZL_SOURCE_DIR}/harness/examples/project" "${ZL_SOURCE_DIR}/harness/examples/axpy"
  DESTINATION "${WORK_DIR}/their kernels")
set(project_dir "${WORK_DIR}/their kernels/project")
set(build_dir "${project_dir}/build")
file(READ "${project_dir}/CMakeLists.txt" text)
string(REPLACE "COMPONENTS host" "COMPONENTS host cuda" text "${text}")
file(WRITE "${project_dir}/CMakeLists.txt" "${text}")
set(axpy "${WORK_DIR}/their kernels/axpy")
file(READ "${axpy}/CMakeLists.txt" text)
string(REPLACE "HOST_SOURCES" "CUDA_SOURCES axpy.cu HOST_SOURCES" text "${text}")
string(REPLACE "f32 f16" "f32" text "${text}")
file(WRITE "${axpy}/CMakeLists.txt" "${text}")
file(WRITE "${axpy}/axpy.cu" [==[
#include <zl/gpu.hpp>
#include <zl/registry.hpp>

#include "axpy.hpp"

static_assert(ZL_BACKEND_CUDA == 1 && __cplusplus > 201703L);

namespace kernels {
template <class T>
__global__ void axpy_kernel(T* out, const T* x, const T* y, float a, zl::i64 n) {
  const zl::i64 i = zl::i64{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a * x[i] + y[i];
}
template <class T>
void axpy(zl::Stream stream, T* out, const T* x, const T* y, float a, zl::i64 n) {
  const auto blocks = static_cast<unsigned>((n + 255) / 256);
  axpy_kernel<<<blocks, 256, 0, zl::gpu::NativeStream(stream)>>>(out, x, y, a, n);
  zl::gpu::check_launch("axpy_kernel");
}
ZL_INSTANTIATE(axpy)
}  // namespace kernels
]==])
must_configure("-DCMAKE_PREFIX_PATH=${prefix}" -DCMAKE_CUDA_STANDARD=17)
read_tests()
expect_equal("tests" "${tests}" "perf.host.axpy.own.f32.4096;perf.host.axpy.own.f32.1048576;\
perf.cuda.axpy.own.f32.4096;perf.cuda.axpy.own.f32.1048576")
run_command(${CMAKE_COMMAND} --build "${build_dir}" --target zl_axpy_cuda)
file(GET_RUNTIME_DEPENDENCIES EXECUTABLES "${build_dir}/axpy/zl_axpy_cuda"
  RESOLVED_DEPENDENCIES_VAR libraries UNRESOLVED_DEPENDENCIES_VAR missing)
if("${libraries};${missing}" MATCHES "libcudart")
  fail("linked to the shared CUDA runtime: ${libraries};${missing}")
endif()

# A package out of another project has no doctor: whoever requires it is told.
configure_project(-DZL_REQUIRE_DOCTOR=ON)
string(FIND "${output}" "ZL_REQUIRE_DOCTOR: ${prefix} has no zl_doctor_cuda" at)
if(at EQUAL -1)
  fail("expected an error for the missing doctor, got: ${output}")
endif()
