# A run for CDash: configures, builds and measures a preset, and submits what came of it.
#
#   ctest -S ci/dashboard.cmake,<preset>[,<group>]        for instance cuda,Nightly
#
# The group has to exist on the server (default: Experimental, which always does). Settings are
# environment variables: docs/cdash.md. ZL_DASHBOARD_BUILD_ONLY=1 ends it before the tests, which
# ci/slurm/run.py has run elsewhere, and submits nothing. ctest knows the exit codes 0 and 255 only:
# ci/dashboard.py runs this script and tells a failed measurement from a failed submission.
cmake_minimum_required(VERSION 3.25)

# Ends the script. 1: the measurement failed, 2: it was not begun or its results are refused,
# 3: the submission failed, 4: both 1 and 3.
function(zl_end code text)
  if(DEFINED ENV{ZL_DASHBOARD_OUTCOME})
    file(WRITE "$ENV{ZL_DASHBOARD_OUTCOME}" "${code}\n")
  endif()
  if(code EQUAL 0)
    message("dashboard: ${text}")
  else()
    message(FATAL_ERROR "dashboard (${code}): ${text}")
  endif()
endfunction()

function(zl_setting out variable default)
  if("$ENV{${variable}}" STREQUAL "")
    set(${out} "${default}" PARENT_SCOPE)
  else()
    set(${out} "$ENV{${variable}}" PARENT_SCOPE)
  endif()
endfunction()

string(REPLACE "," ";" arguments "${CTEST_SCRIPT_ARG}")
list(LENGTH arguments count)
list(POP_FRONT arguments preset group)
if(count LESS 1 OR count GREATER 2 OR NOT preset MATCHES "^[A-Za-z0-9._+-]+$")
  zl_end(2 "usage: ctest -S ci/dashboard.cmake,<preset>[,<group>]")
endif()
if(NOT group)
  set(group Experimental)
endif()

get_filename_component(ci "${CMAKE_CURRENT_LIST_DIR}" REALPATH)
get_filename_component(here "${ci}/.." ABSOLUTE)
zl_setting(CTEST_SOURCE_DIRECTORY ZL_DASHBOARD_SOURCE "${here}")
zl_setting(CTEST_BINARY_DIRECTORY ZL_DASHBOARD_BINARY "${CTEST_SOURCE_DIRECTORY}/build/${preset}")
zl_setting(spool ZL_CDASH_SPOOL "${CTEST_SOURCE_DIRECTORY}/build/zl-spool")
foreach(path CTEST_SOURCE_DIRECTORY CTEST_BINARY_DIRECTORY spool)
  get_filename_component(${path} "${${path}}" ABSOLUTE)
endforeach()

# Before hours of measuring: can it be submitted, and is there such a preset?
zl_setting(build_only ZL_DASHBOARD_BUILD_ONLY 0)
if(NOT build_only)
  find_program(python NAMES python3)
  if(NOT python)
    zl_end(2 "submitting needs python3 (3.11 or newer)")
  endif()
  set(submit "${python}" "${ci}/submit.py")
  execute_process(COMMAND ${submit} --check RESULT_VARIABLE checked)
  if(NOT checked EQUAL 0)
    zl_end(2 "nothing was measured: it could not be submitted (above)")
  endif()
endif()
execute_process(COMMAND "${CMAKE_COMMAND}" --list-presets=configure
  WORKING_DIRECTORY "${CTEST_SOURCE_DIRECTORY}" OUTPUT_VARIABLE presets ERROR_VARIABLE presets
  RESULT_VARIABLE listed)
string(FIND "${presets}" "\"${preset}\"" found)
if(NOT listed EQUAL 0 OR found EQUAL -1)
  zl_end(2 "no preset \"${preset}\" in ${CTEST_SOURCE_DIRECTORY}:\n${presets}")
endif()

# CTest names a run by the minute; two in the same one would be the same build.
while(TRUE)
  string(TIMESTAMP minute "%Y%m%d-%H%M" UTC)
  if(NOT EXISTS "${CTEST_BINARY_DIRECTORY}/Testing/${minute}")
    break()
  endif()
  if(NOT told)
    message("dashboard: waiting for the next minute, the last run began in this one")
    set(told TRUE)
  endif()
  ctest_sleep(1)
endwhile()

# Site and build name are given by submit.py: the device is known after the measurement.
cmake_host_system_information(RESULT CTEST_SITE QUERY HOSTNAME)
set(CTEST_BUILD_NAME "${preset}")
string(CONCAT CTEST_CONFIGURE_COMMAND "\"${CMAKE_COMMAND}\" -S \"${CTEST_SOURCE_DIRECTORY}\" "
  "-B \"${CTEST_BINARY_DIRECTORY}\" --preset \"${preset}\"")
set(CTEST_BUILD_COMMAND "\"${CMAKE_COMMAND}\" --build \"${CTEST_BINARY_DIRECTORY}\"")
set(ENV{ZL_REQUIRE_DEVICE} 1)  # a skipped measurement would look green

# Not the model Nightly: its runs share one stamp a day, and CDash keeps the last of them only.
ctest_start(Experimental GROUP "${group}")
# Kept: what Testing/TAG says may change under a long run.
file(STRINGS "${CTEST_BINARY_DIRECTORY}/Testing/TAG" tag LIMIT_COUNT 1)

set(failure "")
ctest_configure(RETURN_VALUE result CAPTURE_CMAKE_ERROR error)
if(NOT result EQUAL 0)
  set(failure "the configuration failed")
else()
  ctest_build(RETURN_VALUE result CAPTURE_CMAKE_ERROR error)
  if(NOT result EQUAL 0)
    set(failure "the build failed")
  endif()
endif()
set(logs "logs in ${CTEST_BINARY_DIRECTORY}/Testing/Temporary")
if(build_only AND failure)
  zl_end(1 "${failure}; ${logs}")
elseif(build_only)
  zl_end(0 "configured and built")
  return()
endif()
if(NOT failure)
  # Else the results of tests that are gone would stay among those of this run.
  file(REMOVE_RECURSE "${CTEST_BINARY_DIRECTORY}/zl-results")
  set(parallel "")
  if(NOT "$ENV{CTEST_PARALLEL_LEVEL}" STREQUAL "")
    set(parallel PARALLEL_LEVEL "$ENV{CTEST_PARALLEL_LEVEL}")
  endif()
  ctest_test(INCLUDE_LABEL "^perf$" ${parallel} RETURN_VALUE result CAPTURE_CMAKE_ERROR error)
  set(xml "${CTEST_BINARY_DIRECTORY}/Testing/${tag}/Test.xml")
  set(measured "")
  if(EXISTS "${xml}")
    file(STRINGS "${xml}" measured REGEX "<NamedMeasurement [^>]*name=\"latency_us\"")
  endif()
  list(LENGTH measured measured)
  if(measured EQUAL 0)
    set(failure "no perf test measured anything")
  elseif(NOT result EQUAL 0)
    set(failure "tests failed (${measured} measured)")
  endif()
endif()

execute_process(COMMAND ${submit} --build "${CTEST_BINARY_DIRECTORY}" --tag "${tag}"
  --preset "${preset}" --spool "${spool}" RESULT_VARIABLE submitted)
if(submitted EQUAL 0 AND NOT failure)
  zl_end(0 "${measured} tests measured and submitted")
elseif(submitted EQUAL 0)
  zl_end(1 "${failure}; submitted; ${logs}")
elseif(submitted EQUAL 3 AND failure)
  zl_end(4 "${failure}, and the submission failed, its parts are in ${spool}; ${logs}")
elseif(submitted EQUAL 3)
  zl_end(3 "${measured} tests measured, the submission failed, its parts are in ${spool}")
else()
  zl_end(2 "not submitted (above); the parts are in ${CTEST_BINARY_DIRECTORY}/Testing/${tag}")
endif()
