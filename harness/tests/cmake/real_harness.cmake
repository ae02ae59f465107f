# The real zl-bench by add_subdirectory() in a project that is not ours: our tests, ops
# and install rules stay off. source_measures compiles.
include(${CMAKE_CURRENT_LIST_DIR}/project.cmake)
set(project_dir "${WORK_DIR}/their project")
set(build_dir "${project_dir}/build")
file(WRITE "${project_dir}/CMakeLists.txt" "cmake_minimum_required(VERSION 3.25)
project(theirs LANGUAGES CXX)
enable_testing()
add_subdirectory(\"${ZL_SOURCE_DIR}\" zl-bench)
zl_add_perf_test(OP twice CASE twice.cpp TYPES f32 SHAPES 4096 IMPLS own)
")
file(WRITE "${project_dir}/twice.cpp" "ZL_OP(twice, \"n\");\n")

must_configure(-DZL_BACKENDS=host)
read_tests()
expect_equal("tests of a project that is not ours" "${tests}" "perf.host.twice.own.f32.4096")
execute_process(COMMAND ${CMAKE_COMMAND} --install "${build_dir}" --prefix "${project_dir}/prefix"
  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
file(GLOB_RECURSE installed "${project_dir}/prefix/*")
expect_equal("installed with a project that is not ours" "${installed}" "")
