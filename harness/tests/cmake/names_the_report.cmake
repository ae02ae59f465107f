# CTest ends with the command that makes the report, where perf tests ran, and only there.
cmake_policy(VERSION 3.25)

file(REMOVE_RECURSE "${WORK_DIR}")
file(WRITE "${WORK_DIR}/CMakeLists.txt" [[
cmake_minimum_required(VERSION 3.25)
project(ZlBench LANGUAGES NONE)
enable_testing()
set(ZlBench_SOURCE_DIR "${ZL_SOURCE_DIR}")
configure_file("${ZL_SOURCE_DIR}/cmake/CTestCustom.cmake.in" CTestCustom.cmake @ONLY)
add_test(NAME perf.host.add
  COMMAND ${CMAKE_COMMAND} -E touch "${CMAKE_BINARY_DIR}/zl-results/a.json")
add_test(NAME perf.host.fails COMMAND ${CMAKE_COMMAND} -E false)
add_test(NAME unit.perf COMMAND ${CMAKE_COMMAND} -E true)
file(MAKE_DIRECTORY "${CMAKE_BINARY_DIR}/zl-results")
]])

function(run out)
  execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE text ERROR_VARIABLE text RESULT_VARIABLE status)
  set(${out} "${text}" PARENT_SCOPE)
  set(status "${status}" PARENT_SCOPE)
endfunction()

function(expect what text pattern)
  if(NOT text MATCHES "${pattern}")
    message(FATAL_ERROR "${what}: no '${pattern}' in:\n${text}")
  endif()
endfunction()

function(expect_none what text)
  if(text MATCHES "report\\.py")
    message(FATAL_ERROR "${what}: names the report:\n${text}")
  endif()
endfunction()

set(build "${WORK_DIR}/build of it")
run(text ${CMAKE_COMMAND} -G "${GENERATOR}" -S "${WORK_DIR}" -B "${build}"
  "-DZL_SOURCE_DIR=${ZL_SOURCE_DIR}")
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${text}")
endif()
set(ctest ${CMAKE_CTEST_COMMAND} --test-dir "${build}")

run(text ${ctest} -R perf.host.fails)
expect_none("a run that left no result" "${text}")

run(text ${ctest} -R perf.host.add)
expect("a run that measured" "${text}"
  "100% tests passed.*ci/report\\.py' '[^\n]*build of it' -o '[^\n]*build of it/report\\.html'\n$")
if(NOT status EQUAL 0)
  message(FATAL_ERROR "a run that measured ends with ${status}")
endif()

run(text ${ctest})
expect("a run in which a test failed" "${text}" "The following tests FAILED.*report\\.py")
if(NOT status EQUAL 8)
  message(FATAL_ERROR "a run in which a test failed ends with ${status}, not CTest's 8")
endif()

# Results of an earlier run lie there now.
run(text ${ctest} -R unit.perf)
expect_none("a run without perf tests" "${text}")
expect("a run without perf tests" "${text}" "100% tests passed, 0 tests failed out of 1")
run(text ${ctest} -N)
expect_none("a list of the tests" "${text}")

if(NOT EXISTS "${ZL_BUILD_DIR}/CTestCustom.cmake")
  message(FATAL_ERROR "zl-bench's own build folder holds no CTestCustom.cmake")
endif()
