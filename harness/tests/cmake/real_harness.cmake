# The real zl-bench by add_subdirectory() in a project that is not ours: our tests and ops stay off;
# with BUILD the project's own op is built and measured.
include(${CMAKE_CURRENT_LIST_DIR}/project.cmake)
set(project_dir "${WORK_DIR}/their project")
set(build_dir "${project_dir}/build")
file(WRITE "${project_dir}/CMakeLists.txt" "cmake_minimum_required(VERSION 3.25)
project(theirs LANGUAGES CXX)
enable_testing()
add_subdirectory(\"${ZL_SOURCE_DIR}\" zl-bench)
zl_add_perf_test(OP twice CASE twice.cpp TYPES f32 SHAPES 4096 IMPLS own)
")
file(WRITE "${project_dir}/twice.cpp" [==[
#include <zl/bench.hpp>

template <class T>
void twice_host(zl::Stream, T* y, const T* x, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) y[i] = 2 * x[i];
}
template <class T>
void twice_rows(zl::Rows rows, double* out, const T* x) {
  for (std::int64_t i = rows.first; i < rows.last; ++i) *out++ = 2.0 * x[i];
}
template <class T>
void twice(zl::Case& c) {
  const std::int64_t n = c.axis("n");
  auto x = c.in<T>({n}, zl::normal());
  auto y = c.out<T>({n});
  c.impl("own", twice_host<T>, y, x, n);
  c.expect(y, twice_rows<T>, x);
}
ZL_OP(twice, "n");
]==])

must_configure(-DZL_BACKENDS=host)  # not optimized: it compiles in half the time
read_tests()
expect_equal("tests of a project that is not ours" "${tests}" "perf.host.twice.own.f32.4096")
if(BUILD)
  execute_process(COMMAND ${CMAKE_COMMAND} --build "${build_dir}" --target zl_twice_host
    RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "does not build: ${output}")
  endif()
  execute_process(COMMAND ${CMAKE_CTEST_COMMAND} --test-dir "${build_dir}" --output-on-failure
    RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0 OR NOT output MATCHES "0 tests failed out of 1")
    fail("it does not measure: ${output}")
  endif()
  file(GLOB results "${build_dir}/zl-results/*")
  if(results STREQUAL "")
    fail("no result file in ${build_dir}/zl-results")
  endif()
endif()
