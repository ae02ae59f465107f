# Small projects for the tests beside this file: written under WORK_DIR, configured, looked at.
cmake_policy(VERSION 3.25)
set(failures 0)
file(REMOVE_RECURSE "${WORK_DIR}")

# A new project in WORK_DIR/<name> -> project_dir, build_dir. `text` follows the include of
# ZlBench.cmake; the harness is a fake. `languages` NONE is fast, and enough for an error.
function(write_project name languages text)
  set(project_dir "${WORK_DIR}/${name}")
  set(project_dir "${project_dir}" PARENT_SCOPE)
  set(build_dir "${project_dir}/build" PARENT_SCOPE)
  file(WRITE "${project_dir}/mm.cpp" "ZL_OP(mm, \"m\", \"n\", \"k\");\n")
  file(WRITE "${project_dir}/add.cpp" "// ZL_OP(add, \"wrong\")\nZL_OP(add,\n      \"n\");\n")
  file(WRITE "${project_dir}/kernel.cpp" "")
  file(WRITE "${project_dir}/kernel.cu" "")
  file(WRITE "${project_dir}/CMakeLists.txt" "cmake_minimum_required(VERSION 3.25)
project(user LANGUAGES ${languages})
enable_testing()
include(\"${ZL_SOURCE_DIR}/cmake/ZlBench.cmake\")
add_library(harness INTERFACE)
add_library(ZlBench::harness_host ALIAS harness)
add_library(ZlBench::harness_cuda ALIAS harness)
foreach(backend IN ITEMS host cuda)
  add_executable(ZlBench::perf_command_\${backend} IMPORTED)
  set_target_properties(ZlBench::perf_command_\${backend} PROPERTIES
    IMPORTED_LOCATION \"${project_dir}/zl_perf_command_\${backend}\")
endforeach()
function(_zl_set_cuda_rules target)
endfunction()
${text}
")
endfunction()

# Configures the project -> result, output (all white space single).
macro(configure_project)
  execute_process(
    COMMAND ${CMAKE_COMMAND} -S "${project_dir}" -B "${build_dir}" -G "${GENERATOR}"
      "-DCMAKE_CXX_COMPILER=${CXX_COMPILER}" ${ARGN}
    RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  string(REGEX REPLACE "[ \t\r\n]+" " " output "${output}")
endmacro()

function(fail text)
  message(SEND_ERROR "${text}")
endfunction()

macro(must_configure)
  configure_project(${ARGN})
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${project_dir} does not configure: ${output}")
  endif()
endmacro()

# Configuring `text` fails with `message`, word for word.
function(expect_error_of name text message)
  write_project("${name}" NONE "${text}")
  configure_project(${ARGN})
  string(FIND "${output}" "${message}" at)
  if(result EQUAL 0)
    fail("${name}: configured, expected: ${message}")
  elseif(at EQUAL -1)
    fail("${name}: expected: ${message}\n  got: ${output}")
  endif()
endfunction()

# A right call of op mm, with `arguments` behind it, fails with `message`.
function(expect_error name arguments message)
  expect_error_of("${name}"
    "zl_add_perf_test(OP mm CASE mm.cpp TYPES f16 SHAPES 1x2x3 IMPLS own ${arguments})"
    "zl_add_perf_test(OP mm): ${message}")
endfunction()

function(expect_equal what got expected)
  if(NOT got STREQUAL expected)
    fail("${what}:\n  got:      ${got}\n  expected: ${expected}")
  endif()
endfunction()

# CTest's view of the build -> json, and the tests' names in order -> tests.
macro(read_tests)
  execute_process(COMMAND ${CMAKE_CTEST_COMMAND} --test-dir "${build_dir}" --show-only=json-v1
    OUTPUT_VARIABLE json COMMAND_ERROR_IS_FATAL ANY)
  set(tests "")
  string(JSON count LENGTH "${json}" tests)
  set(index 0)
  while(index LESS count)
    string(JSON name GET "${json}" tests ${index} name)
    list(APPEND tests ${name})
    math(EXPR index "${index} + 1")
  endwhile()
endmacro()

# A property of a test, as JSON without white space; empty where it is not set.
function(get_property_of test property out)
  list(FIND tests ${test} index)
  if(index EQUAL -1)
    message(FATAL_ERROR "no test ${test} among ${tests}")
  endif()
  set(found "")
  string(JSON count LENGTH "${json}" tests ${index} properties)
  set(at 0)
  while(at LESS count)
    string(JSON name GET "${json}" tests ${index} properties ${at} name)
    if(name STREQUAL property)
      string(JSON found GET "${json}" tests ${index} properties ${at} value)
      string(REGEX REPLACE "[ \n]+" "" found "${found}")
      string(REGEX REPLACE "\\.0$" "" found "${found}")
    endif()
    math(EXPR at "${at} + 1")
  endwhile()
  set(${out} "${found}" PARENT_SCOPE)
endfunction()

function(expect_property test property expected)
  get_property_of(${test} ${property} got)
  expect_equal("${test} ${property}" "${got}" "${expected}")
endfunction()
