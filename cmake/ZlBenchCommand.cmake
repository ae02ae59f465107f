# zl_add_perf_command(): a command that measures by its own means, as a script that times a kernel
# of another framework, becomes CTests like those of zl_add_perf_test(): one per implementation,
# types and shape, with the same names, labels, locks, limits, tags, gate and result files.
#
#   zl_add_perf_command(OP <name>
#     IMPLS <[backend:]name>... TYPES <type[:type]...>...
#     [SHAPES <shape>...] [CASES <csv>...] [HOST_SHAPES <shape>...]
#     [AXES <name>...]               of a shape, in its order; needed for CASES
#     [BACKENDS <backend>...] [BASELINE <file or directory>] [TOLERANCE <percent>]
#     [LABELS <label>...] [TIMEOUT <seconds>] [PROPERTIES <property> <value>...]
#     [TEST_NAMES_OUT <variable>]    all of these as in zl_add_perf_test(): ZlBench.cmake
#     COMMAND <program> <argument>... with {result} and, where needed, {impl} and {case} in it)
#
# In each test's COMMAND {impl} stands for the implementation, {case} for its IMPL/TYPES/SHAPE
# (own/e4m3-bf16/16x7168), {result} for the file that the command has to write (docs/commands.md). A
# program that is a target of this build is given by its name. A word in capitals is taken for a
# keyword here, too.

# COMMAND -> command, with the path of a program that is a target.
function(_zl_read_command)
  list(JOIN arg_COMMAND " " text)
  string(FIND "${text}" "{result}" at)
  if(at EQUAL -1)
    _zl_fail("COMMAND has no {result}: it stands for the file that the command has to write")
  endif()
  string(REGEX REPLACE "[$]{[A-Za-z_]+}" "" text "${text}")  # a shell's variables
  string(REGEX MATCHALL "{[A-Za-z_]+}" placeholders "${text}")
  foreach(found IN LISTS placeholders)
    _zl_check_choice(COMMAND "${found}" {impl} {case} {result})
  endforeach()
  list(GET arg_COMMAND 0 program)
  if(program MATCHES "{(impl|case|result)}")
    _zl_fail("COMMAND: '${program}', allowed: a program in front of the placeholders")
  endif()
  if(TARGET "${program}")  # list(POP_FRONT) would split arguments that have a semicolon
    string(FIND "${arg_COMMAND}" ";" end)
    string(SUBSTRING "${arg_COMMAND}" ${end} -1 arguments)
    set(arg_COMMAND "$<TARGET_FILE:${program}>${arguments}")
  endif()
  set(command "${arg_COMMAND}" PARENT_SCOPE)
endfunction()

# The axes' names -> axes. Without AXES they are d0, d1, ... for as many as the first shape has.
function(_zl_read_command_axes)
  foreach(axis IN LISTS arg_AXES)
    _zl_check_pattern(AXES "${axis}" "^[A-Za-z_][A-Za-z0-9_]*$" "letters, digits and _")
  endforeach()
  _zl_check_unique(AXES ${arg_AXES})
  if(DEFINED arg_CASES AND NOT DEFINED arg_AXES)
    _zl_fail("AXES is missing: CASES needs them, in the order of a shape")
  endif()
  set(axes "${arg_AXES}")
  if(NOT DEFINED arg_AXES)
    set(all ${arg_SHAPES} ${arg_HOST_SHAPES})
    list(GET all 0 first)
    string(REPLACE "x" ";" values "${first}")
    list(LENGTH values rank)
    math(EXPR last "${rank} - 1")
    foreach(index RANGE ${last})
      list(APPEND axes d${index})
    endforeach()
  endif()
  set(axes "${axes}" PARENT_SCOPE)
endfunction()

function(zl_add_perf_command)
  set(one_value OP TIMEOUT BASELINE TOLERANCE TEST_NAMES_OUT)
  set(many_values IMPLS TYPES SHAPES HOST_SHAPES CASES AXES BACKENDS LABELS PROPERTIES COMMAND)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "${one_value}" "${many_values}")

  # As in zl_add_perf_test(): what the functions below read.
  set(zl_function zl_add_perf_command)
  set(zl_call "${zl_function}(OP ${arg_OP})")
  set(zl_backends host cuda musa)
  _zl_check_keywords("OP;IMPLS;TYPES;COMMAND" ${ARGV})
  _zl_check_values()
  _zl_read_impls()         # impls_<backend>
  _zl_read_command()       # command
  _zl_read_command_axes()  # axes
  _zl_read_shapes()        # shapes, host_shapes, columns_of_<shape>
  _zl_check_testing()
  _zl_select_backends(selected)

  set(names "")
  foreach(backend IN LISTS selected)
    if(NOT TARGET ZlBench::perf_command_${backend})
      _zl_fail("ZL_BACKENDS: there is no target ZlBench::perf_command_${backend}; add zl-bench \
before")
    endif()
    _zl_check_shapes_for(${backend})
    _zl_flags(${backend} flags)
    _zl_add_tests(${backend} $<TARGET_FILE:ZlBench::perf_command_${backend}>  # appends to names
      FLAGS --zl_op=${arg_OP} ${flags} COMMAND -- ${command})
  endforeach()
  if(DEFINED arg_TEST_NAMES_OUT)
    set(${arg_TEST_NAMES_OUT} ${names} PARENT_SCOPE)
  endif()
endfunction()
