# The MUSA rules of zl-bench: included where musa is in ZL_BACKENDS. CMake has no MUSA language:
# host code goes through the ordinary compiler, device sources (.cu, .mu) through the SDK's mcc.
# Written from public facts; not yet used with Moore Threads' SDK (docs/musa.md).
include_guard(DIRECTORY)

set(ZL_MUSA_ARCHITECTURES mp_21 mp_22 mp_31 CACHE STRING "Architectures of MUSA device code")
set(MUSA_MCC_FLAGS "" CACHE STRING "More flags for mcc, as the SDK's own modules name them")

function(_zl_find_musa_sdk)
  set(looked "")
  foreach(place IN ITEMS "$ENV{MUSA_HOME}" "$ENV{MUSA_PATH}" /usr/local/musa)
    if(place STREQUAL "")
      continue()
    endif()
    string(APPEND looked "\n  ${place}")
    if(EXISTS "${place}/bin/mcc" AND EXISTS "${place}/include/musa_runtime_api.h")
      set(ZL_MUSA_SDK "${place}" CACHE PATH "Moore Threads' MUSA SDK" FORCE)
      mark_as_advanced(ZL_MUSA_SDK)
      return()
    endif()
  endforeach()
  message(FATAL_ERROR "ZL_BACKENDS has musa, but there is no MUSA SDK. Looked for bin/mcc and \
include/musa_runtime_api.h in:${looked}\nInstall Moore Threads' MUSA SDK; where it lies elsewhere, say \
so: MUSA_HOME=/path/to/musa cmake --preset musa")
endfunction()
_zl_find_musa_sdk()

# MUSA::musart: by the SDK's own module where it brings one.
if(NOT TARGET MUSA::musart)
  list(APPEND CMAKE_MODULE_PATH ${ZL_MUSA_SDK}/cmake)
  find_package(MUSAToolkit QUIET GLOBAL)
  list(POP_BACK CMAKE_MODULE_PATH)
endif()
if(NOT TARGET MUSA::musart)
  find_library(ZL_MUSART_LIBRARY musart HINTS ${ZL_MUSA_SDK} PATH_SUFFIXES lib lib64 NO_DEFAULT_PATH)
  mark_as_advanced(ZL_MUSART_LIBRARY)
  if(NOT ZL_MUSART_LIBRARY)
    message(FATAL_ERROR "The MUSA SDK in ${ZL_MUSA_SDK} has no library musart in lib or lib64, and no \
cmake/FindMUSAToolkit.cmake that tells where it is: point MUSA_HOME to a complete SDK")
  endif()
  add_library(MUSA::musart UNKNOWN IMPORTED GLOBAL)
  set_target_properties(MUSA::musart PROPERTIES
    IMPORTED_LOCATION ${ZL_MUSART_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${ZL_MUSA_SDK}/include)
endif()

# Compiles device `sources` as `target` compiles its own, in a static library that `target` and
# who links with it get: their objects would not be among $<TARGET_OBJECTS:target>.
function(_zl_add_musa_sources target)
  set(includes "$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>")
  set(definitions "$<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>")
  list(TRANSFORM ZL_MUSA_ARCHITECTURES PREPEND --offload-arch= OUTPUT_VARIABLE architectures)
  separate_arguments(flags UNIX_COMMAND "${MUSA_MCC_FLAGS}")
  set(objects "")
  foreach(source IN LISTS ARGN)
    get_filename_component(source "${source}" ABSOLUTE)
    get_filename_component(name "${source}" NAME)
    set(object ${CMAKE_CURRENT_BINARY_DIR}/${target}_musa/${name}.o)
    add_custom_command(OUTPUT ${object}
      COMMAND ${ZL_MUSA_SDK}/bin/mcc -x musa -mtgpu ${architectures} -std=c++20 -O3 -fPIC -Wall
        "$<$<BOOL:${includes}>:-I$<JOIN:${includes},;-I>>"
        "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},;-D>>"
        ${flags} -MD -MT ${object} -MF ${object}.d -c ${source} -o ${object}
      DEPENDS ${source} ${ZL_MUSA_SDK}/bin/mcc
      DEPFILE ${object}.d
      COMMENT "Building MUSA object ${name}.o of ${target}"
      COMMAND_EXPAND_LISTS VERBATIM)
    list(APPEND objects ${object})
  endforeach()
  add_library(${target}_device STATIC ${objects})
  set_target_properties(${target}_device PROPERTIES LINKER_LANGUAGE CXX)
  if(NOT target STREQUAL "zl_harness_musa")
    target_link_libraries(${target}_device INTERFACE ZlBench::harness_musa)  # throws its errors
  endif()
  target_link_libraries(${target} PUBLIC ${target}_device)
endfunction()

# Of a list of sources, those for mcc and the others.
function(_zl_split_musa_sources device host)
  set(for_mcc ${ARGN})
  set(others ${ARGN})
  list(FILTER for_mcc INCLUDE REGEX "\\.(cu|mu)$")
  list(FILTER others EXCLUDE REGEX "\\.(cu|mu)$")
  set(${device} "${for_mcc}" PARENT_SCOPE)
  set(${host} "${others}" PARENT_SCOPE)
endfunction()
