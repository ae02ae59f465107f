# ZL_RESOURCE_SPEC: what keeps two tests off one GPU (docs/operators.md).
#   OFF     a RESOURCE_LOCK: one test at a time, also with ctest -j
#   auto    RESOURCE_GROUPS: with ctest -j<n> one test at a time on each visible device. The doctor
#           makes CTest's resource specification: where CMake is 3.28 or newer when the tests start,
#           as the fixture zl_resources, else at the end of each build
#   <file>  RESOURCE_GROUPS, by that resource specification
# The supervisor's device lock stays underneath each of them.
set(ZL_RESOURCE_SPEC OFF CACHE STRING
  "What spreads GPU tests over devices: OFF, auto or a CTest resource specification")

# -> "" (a lock), auto, or the file's path.
function(_zl_resource_spec out)
  set(spec "")
  string(TOLOWER "${ZL_RESOURCE_SPEC}" lower)
  if(lower STREQUAL "auto")
    set(spec auto)
  elseif(ZL_RESOURCE_SPEC)
    get_filename_component(spec "${ZL_RESOURCE_SPEC}" ABSOLUTE BASE_DIR "${CMAKE_SOURCE_DIR}")
  endif()
  set(${out} "${spec}" PARENT_SCOPE)
endfunction()

# CTest refuses a specification's file beside a fixture that makes it.
function(_zl_resource_fixture out)
  _zl_resource_spec(spec)
  set(${out} FALSE PARENT_SCOPE)
  if(spec STREQUAL "auto" AND CMAKE_VERSION VERSION_GREATER_EQUAL 3.28)
    set(${out} TRUE PARENT_SCOPE)
  endif()
endfunction()

# What every ctest in the build folder is to read, also without a preset.
function(_zl_resource_spec_file out)
  _zl_resource_spec(spec)
  _zl_resource_fixture(fixture)
  if(NOT ZL_BACKENDS MATCHES "cuda|musa" OR fixture)
    set(spec "")
  elseif(spec STREQUAL "auto")
    set(spec "${CMAKE_BINARY_DIR}/zl-resources.json")
  endif()
  set(${out} "${spec}" PARENT_SCOPE)
endfunction()
_zl_resource_spec_file(_zl_spec)
if(_zl_spec)
  set(CTEST_RESOURCE_SPEC_FILE "${_zl_spec}")
endif()

# Has `doctor`, a target, make the specification of `auto`.
function(_zl_add_resource_spec backend doctor)
  _zl_resource_spec(spec)
  if(backend STREQUAL "host" OR NOT spec STREQUAL "auto")
    return()
  endif()
  get_property(made GLOBAL PROPERTY zl_resources)
  if(made STREQUAL backend)
    return()  # by find_package() in another directory
  elseif(made)
    message(FATAL_ERROR "ZL_RESOURCE_SPEC: auto is for one GPU backend in a build, and ZL_BACKENDS \
is '${ZL_BACKENDS}': build each in a folder of its own, or give a file")
  endif()
  set_property(GLOBAL PROPERTY zl_resources ${backend})
  set(file "${CMAKE_BINARY_DIR}/zl-resources.json")
  _zl_resource_fixture(fixture)
  if(fixture)
    add_test(NAME zl_resources COMMAND ${doctor} --resource-spec=${file})
    set_tests_properties(zl_resources PROPERTIES LABELS "resources;${backend}" TIMEOUT 60
      FIXTURES_SETUP zl_resources GENERATED_RESOURCE_SPEC_FILE "${file}")
    return()
  endif()
  if(NOT EXISTS "${file}")  # ctest would not start, as after a build of single targets
    file(WRITE "${file}" "{\"version\": {\"major\": 1, \"minor\": 0}, \
\"local\": [{\"${backend}\": [{\"id\": \"0\", \"slots\": 1}]}]}\n")
  endif()
  # In each build: which devices are visible no file tells.
  add_custom_target(zl_resources ALL COMMAND ${doctor} --resource-spec=${file}
    COMMENT "Resource specification of the visible ${backend} devices" VERBATIM)
endfunction()

# Fails where a test of the backend would not get a slot: CTest says no more than "insufficient".
function(_zl_check_resource_spec backend spec)
  if(spec STREQUAL "auto")
    get_property(made GLOBAL PROPERTY zl_resources)
    if(NOT made STREQUAL backend)
      _zl_fail("ZL_RESOURCE_SPEC: auto needs zl_doctor_${backend}, which this build has not: \
set ZL_RESOURCE_SPEC before zl-bench is added or found")
    endif()
    return()
  endif()
  if(NOT EXISTS "${spec}" OR IS_DIRECTORY "${spec}")
    _zl_fail("ZL_RESOURCE_SPEC: there is no file '${spec}', allowed: auto, OFF, a file")
  endif()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${spec}")
  file(READ "${spec}" text)
  string(JSON count ERROR_VARIABLE error LENGTH "${text}" local 0 ${backend})
  if(error OR count EQUAL 0)
    _zl_fail("ZL_RESOURCE_SPEC: no resource '${backend}' in ${spec}")
  endif()
endfunction()

# What keeps these tests (ARGN) off a device that another one uses: exactly one of lock and groups,
# because both would serialize all devices. Behind all else that sets their properties.
function(_zl_set_exclusion backend)
  _zl_resource_spec(spec)
  if(backend STREQUAL "host" OR spec STREQUAL "")
    set_tests_properties(${ARGN} PROPERTIES RESOURCE_LOCK zl-${backend})
    return()
  endif()
  _zl_check_resource_spec(${backend} "${spec}")
  set_tests_properties(${ARGN} PROPERTIES RESOURCE_GROUPS 1,${backend}:1)
  _zl_resource_fixture(fixture)
  if(fixture)
    set_property(TEST ${ARGN} APPEND PROPERTY FIXTURES_REQUIRED zl_resources)
  endif()
endfunction()

# The doctor as a CTest, and as the fixture that ZL_REQUIRE_DOCTOR asks for.
function(_zl_add_doctor_test backend doctor)
  set(zl_call doctor.${backend})
  add_test(NAME doctor.${backend} COMMAND ${doctor})
  set_tests_properties(doctor.${backend} PROPERTIES LABELS "doctor;${backend}" TIMEOUT 300
    SKIP_RETURN_CODE 77 FIXTURES_SETUP zl_doctor_${backend})
  _zl_set_exclusion(${backend} doctor.${backend})
endfunction()
