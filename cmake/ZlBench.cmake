# zl_add_perf_test(): an op's source files become one executable per backend and one CTest per
# implementation, types and shape; zl_add_perf_command(): a command that measures by its own means
# becomes such tests (ZlBenchCommand.cmake). This is the only file that a project includes, if any:
# find_package(ZlBench) and add_subdirectory() of zl-bench include it.
#
#   zl_add_perf_test(OP <name> CASE <file>
#     [SOURCES <file>...]            for every backend
#     [GPU_SOURCES <file>...]        for cuda and musa
#     [CUDA_SOURCES <file>...] [MUSA_SOURCES <file>...] [HOST_SOURCES <file>...]
#     TYPES <type[:type]...>...      f16 bf16 e4m3 f32 f64 i32 i64 u8, one for each operand
#     [SHAPES <shape>...]            16x4096x7168: positional, in the order of ZL_OP's axes
#     [CASES <csv>...]               header: the axes, in any order; other columns go to the result
#     [HOST_SHAPES <shape>...]       replaces SHAPES and CASES on host
#     IMPLS <[backend:]name>...      `own cuda:cublaslt`: cublaslt on cuda only
#     [VERSUS <impl>]                speedup against it, where the backend has it
#     [BACKENDS <backend>...]        only these
#     [METHOD auto|graph|direct] [CACHE cold|warm|mixed] [SCHEDULE adaptive|reference]
#     [SUSTAINED AUTO|ON|OFF] [WARMUP_MS <ms>] [REP_MS <ms>]
#     [QUANTILES <q>...] [RETURN_MODE mean|median|min|max|all]
#     [BASELINE <file or directory>] fail where slower than it (docs/baseline.md)
#     [TOLERANCE <percent>]          by how much, if the baseline's noise allows (5)
#     [DENY_CAPTURE <backend>...]    no graph capture there
#     [LIBRARIES <[backend:]item>...] `CUDA::x` and `MUSA::x` go to their backend only
#     [LABELS <label>...] [TIMEOUT <seconds>] [PROPERTIES <property> <value>...]
#     [TEST_NAMES_OUT <variable>])
#
# A backend takes part where it is in ZL_BACKENDS, in BACKENDS (where given), has an implementation,
# and has sources: its own, or SOURCES, or nothing but CASE is given at all. An op without any such
# backend is an error, unless BACKENDS names only backends that this build leaves out.
# A word in capitals is taken for a keyword, so that a misspelt one is not taken for a value.
cmake_policy(VERSION 3.25)

if(NOT DEFINED ZL_BACKENDS OR DEFINED CACHE{ZL_BACKENDS})  # find_package() sets a plain variable
  set(ZL_BACKENDS host CACHE STRING "Backends to build, from: host cuda musa")
endif()
option(ZL_REQUIRE_DOCTOR "Perf tests run only where the doctor's checks of the machine pass" OFF)

foreach(backend IN LISTS ZL_BACKENDS)
  if(NOT backend MATCHES "^(host|cuda|musa)$")
    message(FATAL_ERROR "ZL_BACKENDS: unknown backend '${backend}', allowed: host, cuda, musa")
  endif()
endforeach()
if(NOT ZL_BACKENDS)
  message(FATAL_ERROR "ZL_BACKENDS is empty, allowed: host, cuda, musa")
endif()
if("cuda" IN_LIST ZL_BACKENDS)
  include(${CMAKE_CURRENT_LIST_DIR}/ZlBenchCuda.cmake)
endif()
if("musa" IN_LIST ZL_BACKENDS)
  include(${CMAKE_CURRENT_LIST_DIR}/ZlBenchMusa.cmake)
endif()
include(${CMAKE_CURRENT_LIST_DIR}/ZlBenchArguments.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/ZlBenchResources.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/ZlBenchShapes.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/ZlBenchTargets.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/ZlBenchCommand.cmake)

function(zl_add_perf_test)
  set(one_value OP CASE VERSUS METHOD CACHE SCHEDULE SUSTAINED WARMUP_MS REP_MS RETURN_MODE TIMEOUT
    BASELINE TOLERANCE TEST_NAMES_OUT)
  set(many_values SOURCES GPU_SOURCES CUDA_SOURCES MUSA_SOURCES HOST_SOURCES TYPES SHAPES
    HOST_SHAPES CASES IMPLS BACKENDS QUANTILES DENY_CAPTURE LIBRARIES LABELS PROPERTIES)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "${one_value}" "${many_values}")

  # The functions below read the arguments, and what is worked out from them, from this scope.
  set(zl_function zl_add_perf_test)
  set(zl_call "${zl_function}(OP ${arg_OP})")
  set(zl_backends host cuda musa)
  _zl_check_keywords("OP;CASE;TYPES;IMPLS" ${ARGV})
  _zl_check_values()
  _zl_read_impls()     # impls_<backend>
  _zl_find_sources()   # case_file, sources_<backend>
  _zl_read_axes()      # axes
  _zl_read_shapes()    # shapes, rows, host_shapes, host_rows
  _zl_check_testing()
  _zl_select_backends(selected)

  set(names "")
  foreach(backend IN LISTS selected)
    _zl_check_shapes_for(${backend})
    _zl_add_executable(${backend})
    _zl_add_tests(${backend} zl_${arg_OP}_${backend})  # appends to names
  endforeach()
  if(DEFINED arg_TEST_NAMES_OUT)
    set(${arg_TEST_NAMES_OUT} ${names} PARENT_SCOPE)
  endif()
endfunction()
