# ZL_RESOURCE_SPEC=auto: the doctor makes CTest's resource specification, and ctest -j uses every
# device in it, one test at a time on each.
include(${CMAKE_CURRENT_LIST_DIR}/project.cmake)

# A project whose doctor sees what the file `devices` says, and whose cases log where they run.
function(write_spread_project name)
  write_project(${name} NONE "")
  file(WRITE "${project_dir}/doctor" "#!/bin/sh\ncp '${project_dir}/devices' \"\${1#*=}\"\n")
  # A case: `+<device>` when it starts, `-<device>` when it ends.
  file(WRITE "${project_dir}/zl_perf_command_cuda" "#!/bin/sh
echo \"+\${CTEST_RESOURCE_GROUP_0_CUDA:-lock}\" >> '${project_dir}/log'
sleep 0.1
echo \"-\${CTEST_RESOURCE_GROUP_0_CUDA:-lock}\" >> '${project_dir}/log'\n")
  file(CHMOD "${project_dir}/doctor" "${project_dir}/zl_perf_command_cuda" PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE)
  file(WRITE "${project_dir}/CMakeLists.txt" "cmake_minimum_required(VERSION 3.25)
project(user LANGUAGES NONE)
enable_testing()
set(ZL_BACKENDS cuda)  # without the rules of its language
include(\"${ZL_SOURCE_DIR}/cmake/ZlBenchArguments.cmake\")
include(\"${ZL_SOURCE_DIR}/cmake/ZlBenchResources.cmake\")
include(\"${ZL_SOURCE_DIR}/cmake/ZlBenchShapes.cmake\")
include(\"${ZL_SOURCE_DIR}/cmake/ZlBenchTargets.cmake\")
include(\"${ZL_SOURCE_DIR}/cmake/ZlBenchCommand.cmake\")
foreach(target IN ITEMS perf_command doctor)
  add_executable(ZlBench::\${target}_cuda IMPORTED)
endforeach()
set_target_properties(ZlBench::perf_command_cuda PROPERTIES
  IMPORTED_LOCATION \"${project_dir}/zl_perf_command_cuda\")
set_target_properties(ZlBench::doctor_cuda PROPERTIES IMPORTED_LOCATION \"${project_dir}/doctor\")
_zl_add_resource_spec(cuda ZlBench::doctor_cuda)
zl_add_perf_command(OP mm IMPLS own TYPES f16 SHAPES 1 2 3 4 5 6 COMMAND sh {result})
")
  set(project_dir "${project_dir}" PARENT_SCOPE)
  set(build_dir "${build_dir}" PARENT_SCOPE)
endfunction()

# ctest -> log.
macro(run_tests)
  file(REMOVE "${project_dir}/log")
  execute_process(COMMAND ${CMAKE_CTEST_COMMAND} --test-dir "${build_dir}" ${ARGN}
    RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    fail("ctest ${ARGN}: ${result}\n${output}")
  endif()
  set(log "")
  if(EXISTS "${project_dir}/log")
    file(STRINGS "${project_dir}/log" log)
  endif()
endmacro()

macro(build_project)
  execute_process(COMMAND ${CMAKE_COMMAND} --build "${build_dir}" OUTPUT_QUIET
    COMMAND_ERROR_IS_FATAL ANY)
endmacro()

# The devices in the log, sorted. Fails where two tests were on one at a time.
function(devices_of_log out)
  set(busy "")
  set(seen "")
  foreach(line IN LISTS log)
    string(SUBSTRING "${line}" 0 1 what)
    string(SUBSTRING "${line}" 1 -1 device)
    if(what STREQUAL "+")
      if(device IN_LIST busy)
        fail("two tests at once on '${device}': ${log}")
      endif()
      list(APPEND busy "${device}")
      list(APPEND seen "${device}")
    else()
      list(REMOVE_ITEM busy "${device}")
    endif()
  endforeach()
  list(LENGTH seen count)
  expect_equal("tests that ran" "${count}" 6)
  list(REMOVE_DUPLICATES seen)
  list(SORT seen)
  set(${out} "${seen}" PARENT_SCOPE)
endfunction()

set(two [[{"version": {"major": 1, "minor": 0},
  "local": [{"cuda": [{"id": "0", "slots": 1}, {"id": "1", "slots": 1}]}]}]])
string(REPLACE [["1", "slots"]] [["2", "slots"]] other "${two}")

write_spread_project(auto)
file(WRITE "${project_dir}/devices" "${two}")
must_configure(-DZL_RESOURCE_SPEC=auto)
read_tests()
expect_property(perf.cuda.mm.own.f16.1 RESOURCE_LOCK "")
expect_property(perf.cuda.mm.own.f16.1 RESOURCE_GROUPS
  [==[[{"requirements":[{".type":"cuda","slots":1}]}]]==])

# Before the first build a specification of one device stands in.
if(CMAKE_VERSION VERSION_LESS 3.28)
  run_tests()
  devices_of_log(seen)
  expect_equal("devices before the build" "${seen}" "id:0,slots:1")
endif()

build_project()
run_tests(-j8)
devices_of_log(seen)
expect_equal("devices of -j8" "${seen}" "id:0,slots:1;id:1,slots:1")
run_tests(-L "^perf$")
devices_of_log(seen)
list(LENGTH seen count)
expect_equal("devices of a serial run" "${count}" 1)

# Other devices are visible now, as on another node: the next build, or the fixture, tells.
file(WRITE "${project_dir}/devices" "${other}")
build_project()
run_tests(-j8)
devices_of_log(seen)
expect_equal("devices of another node" "${seen}" "id:0,slots:1;id:2,slots:1")

# OFF: a lock, one test at a time however many devices there are.
must_configure(-DZL_RESOURCE_SPEC=OFF)
build_project()
read_tests()
expect_property(perf.cuda.mm.own.f16.1 RESOURCE_GROUPS "")
expect_property(perf.cuda.mm.own.f16.1 RESOURCE_LOCK [==[["zl-cuda"]]==])
run_tests(-j8)
devices_of_log(seen)
expect_equal("devices of a lock" "${seen}" "lock")

# A file: CTest of this build reads it; a relative path begins at the project.
file(WRITE "${project_dir}/spec.json" "${two}")
must_configure(-DZL_RESOURCE_SPEC=spec.json)
build_project()
run_tests(-j8)
devices_of_log(seen)
expect_equal("devices of a file" "${seen}" "id:0,slots:1;id:1,slots:1")

# Errors.
expect_error_of(without_doctor "set(ZL_BACKENDS cuda)
zl_add_perf_test(OP mm CASE mm.cpp TYPES f16 SHAPES 1x2x3 IMPLS own)"
  "zl_add_perf_test(OP mm): ZL_RESOURCE_SPEC: auto needs zl_doctor_cuda, which this build has not"
  -DZL_RESOURCE_SPEC=auto)
expect_error_of(two_gpu_backends "_zl_add_resource_spec(cuda harness)
_zl_add_resource_spec(musa harness)"
  "ZL_RESOURCE_SPEC: auto is for one GPU backend in a build" -DZL_RESOURCE_SPEC=auto)
