# The README's project with the README's op, in a path with a space: built and measured on host.
#   ZL_BUILD_DIR  by find_package() from what this build tree installs; else out of zl-bench's
#                 source, by FetchContent and by add_subdirectory()
include(${CMAKE_CURRENT_LIST_DIR}/project.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/prefix.cmake)
file(COPY "${ZL_SOURCE_DIR}/harness/examples/project" "${ZL_SOURCE_DIR}/harness/examples/axpy"
  DESTINATION "${WORK_DIR}/their kernels")
set(project_dir "${WORK_DIR}/their kernels/project")
set(build_dir "${WORK_DIR}/the build")

function(build_and_measure)
  file(REMOVE_RECURSE "${build_dir}/zl-results" "${build_dir}/axpy/zl_axpy_host")
  # Not optimized and with few units: it compiles in a fraction of the time.
  must_configure(-DCMAKE_UNITY_BUILD=ON ${ARGN})
  read_tests()
  expect_equal("tests" "${tests}" "perf.host.axpy.own.f32.4096;perf.host.axpy.own.f32.1048576;\
perf.host.axpy.own.f16.4096;perf.host.axpy.own.f16.1048576")
  run_command(${CMAKE_COMMAND} --build "${build_dir}" --target zl_axpy_host)
  run_command(${CMAKE_CTEST_COMMAND} --test-dir "${build_dir}" --output-on-failure -R 4096)
  if(NOT output MATCHES "0 tests failed out of 2")
    fail("it does not measure: ${output}")
  endif()
  file(GLOB results RELATIVE "${build_dir}/zl-results" "${build_dir}/zl-results/*.json")
  expect_equal("results" "${results}"
    "perf.host.axpy.own.f16.4096.json;perf.host.axpy.own.f32.4096.json")
endfunction()

# The README's project with `text` in place of find_package().
function(replace_find_package text)
  file(READ "${ZL_SOURCE_DIR}/harness/examples/project/CMakeLists.txt" lists)
  string(REGEX REPLACE "find_package\\(ZlBench [^)]*\\)" "${text}" lists "${lists}")
  file(WRITE "${project_dir}/CMakeLists.txt" "${lists}")
endfunction()

if(ZL_BUILD_DIR)
  install_from("${ZL_BUILD_DIR}")
  build_and_measure("-DCMAKE_PREFIX_PATH=${prefix}")
  return()
endif()

set(zl_bench "${WORK_DIR}/third party/zl-bench")
file(COPY "${ZL_SOURCE_DIR}/CMakeLists.txt" "${ZL_SOURCE_DIR}/cmake" "${ZL_SOURCE_DIR}/harness"
  DESTINATION "${zl_bench}" PATTERN tests EXCLUDE)
replace_find_package("include(FetchContent)
FetchContent_Declare(ZlBench URL https://example.invalid/zl-bench.tar.gz)
FetchContent_MakeAvailable(ZlBench)")
build_and_measure("-DFETCHCONTENT_SOURCE_DIR_ZLBENCH=${zl_bench}")

# In the folder where FetchContent has compiled the harness, which saves doing it again.
replace_find_package("add_subdirectory(\"${zl_bench}\" _deps/zlbench-build)")
build_and_measure()
