# zl_add_perf_command(): every mistake that is its own, and that those it shares with
# zl_add_perf_test() name it.
include(${CMAKE_CURRENT_LIST_DIR}/project.cmake)
set(call "zl_add_perf_command(OP mm")
set(right "IMPLS own TYPES f16 SHAPES 1x2x3")
set(command "COMMAND time_it {result}")

# A right call with `arguments` in front of its command fails with `message`.
function(expect_command_error name arguments message)
  expect_error_of("${name}" "${call} ${right} ${arguments} ${command})" "${call}): ${message}")
endfunction()
# The same of a call with another command.
function(expect_error_of_command name command message)
  expect_error_of("${name}" "${call} ${right} COMMAND ${command})" "${call}): ${message}")
endfunction()

set(all_keywords "OP, TIMEOUT, BASELINE, TOLERANCE, TEST_NAMES_OUT, IMPLS, TYPES, SHAPES, \
HOST_SHAPES, CASES, AXES, BACKENDS, LABELS, PROPERTIES, COMMAND")
foreach(keyword IN ITEMS ISOLATION CASE SOURCES VERSUS METHOD CACHE SCHEDULE QUANTILES LIBRARIES)
  expect_command_error(unknown_${keyword} "${keyword} x"
    "unknown keyword '${keyword}', allowed: ${all_keywords}")
endforeach()
expect_error_of(unknown_after_command "${call} ${right} ${command} TIMOUT 60)"
  "${call}): unknown keyword 'TIMOUT', allowed: ${all_keywords}")
expect_command_error(twice "IMPLS other" "IMPLS is given twice")
foreach(keyword IN ITEMS TIMEOUT BASELINE TOLERANCE TEST_NAMES_OUT HOST_SHAPES CASES AXES BACKENDS
    LABELS PROPERTIES)
  expect_command_error(no_value_${keyword} "${keyword}" "${keyword} has no value")
endforeach()

expect_error_of(nothing "zl_add_perf_command()" "zl_add_perf_command(): OP is missing")
expect_error_of(no_IMPLS "${call} TYPES f16 SHAPES 1 ${command})" "${call}): IMPLS is missing")
expect_error_of(no_TYPES "${call} IMPLS own SHAPES 1 ${command})" "${call}): TYPES is missing")
expect_error_of(no_COMMAND "${call} ${right})" "${call}): COMMAND is missing")
expect_error_of(empty_COMMAND "${call} ${right} COMMAND)" "${call}): COMMAND has no value")
expect_error_of(no_shapes "${call} IMPLS own TYPES f16 ${command})"
  "${call}): no shapes: one of SHAPES, CASES and HOST_SHAPES is needed")

expect_error_of_command(no_result "time_it {impl} {case}"
  "COMMAND has no {result}: it stands for the file that the command has to write")
expect_error_of_command(placeholder "time_it {impls} {result}"
  "COMMAND: unknown value '{impls}', allowed: {impl}, {case}, {result}")
expect_error_of_command(placeholder_within "time_it --out={result} --shape={shape}"
  "COMMAND: unknown value '{shape}', allowed: {impl}, {case}, {result}")
expect_error_of_command(no_program "{result} x"
  "COMMAND: '{result}', allowed: a program in front of the placeholders")

expect_error_of(op_name "zl_add_perf_command(OP m-m ${right} ${command})"
  "zl_add_perf_command(OP m-m): OP: 'm-m', allowed: letters, digits and _")
expect_command_error(tolerance "TOLERANCE 5" "TOLERANCE is for BASELINE, which is not given")
expect_command_error(timeout "TIMEOUT never" "TIMEOUT: 'never', allowed: whole seconds, 1 to 99999")
expect_command_error(property "PROPERTIES WILL_FAIL ON" "PROPERTIES: unknown value 'WILL_FAIL'")
expect_command_error(backend "BACKENDS gpu"
  "BACKENDS: unknown value 'gpu', allowed: host, cuda, musa")
expect_error_of(types "${call} IMPLS own TYPES half SHAPES 1 ${command})"
  "${call}): TYPES 'half': unknown value 'half', allowed: f16")
expect_error_of(impls "${call} IMPLS a/b TYPES f16 SHAPES 1 ${command})"
  "${call}): IMPLS 'a/b': 'a/b', allowed: [A-Za-z0-9._-]")

# Shapes: with AXES as zl_add_perf_test() has them, without they are alike.
expect_command_error(axes_name "AXES m n k/2" "AXES: 'k/2', allowed: letters, digits and _")
expect_command_error(axes_repeated "AXES m n m" "AXES: 'm' is repeated")
expect_command_error(rank "AXES m n" "SHAPES: '1x2x3' has 3 axes, allowed: 2, in the order mxn")
expect_error_of(unlike_ranks "${call} IMPLS own TYPES f16 SHAPES 1x2 1x2x3 ${command})"
  "${call}): SHAPES: '1x2x3' has 3 axes, allowed: 2, in the order d0xd1")
expect_error_of(shape "${call} IMPLS own TYPES f16 SHAPES 1x-2 ${command})"
  "${call}): SHAPES: '1x-2', allowed: whole numbers joined by 'x', in the order d0xd1")
expect_error_of(shape_repeated "${call} IMPLS own TYPES f16 SHAPES 1 1 ${command})"
  "${call}): SHAPES: case '1' is repeated")
expect_error_of(cases_without_axes "${call} IMPLS own TYPES f16 CASES sizes.csv ${command})"
  "${call}): AXES is missing: CASES needs them, in the order of a shape")
expect_error_of(cases_column "file(WRITE \${CMAKE_CURRENT_SOURCE_DIR}/sizes.csv \"m,k\\n1,2\\n\")
${call} IMPLS own TYPES f16 AXES m n CASES sizes.csv ${command})"
  "no column for axis 'n'; needed: m, n; found: m, k")

expect_error_of(host_shapes_only "set(ZL_BACKENDS cuda)
${call} IMPLS own TYPES f16 HOST_SHAPES 1 ${command})"
  "${call}): no shapes for cuda: SHAPES or CASES is needed, HOST_SHAPES is for host only")
expect_error_of(no_impl_here "${call} IMPLS cuda:own TYPES f16 SHAPES 1 ${command})"
  "${call}): no backend of this build can run it: host has no implementation (IMPLS)")
expect_error_of(no_program_of_ours "set(ZL_BACKENDS musa)\n${call} ${right} ${command})"
  "${call}): ZL_BACKENDS: there is no target ZlBench::perf_command_musa; add zl-bench before")
expect_error_of(no_testing "unset(CMAKE_TESTING_ENABLED)\n${call} ${right} ${command})"
  "${call}): enable_testing() is missing")

# Two tests of one name would write one result file.
expect_error_of(same_test "${call} ${right} ${command})\n${call} ${right} ${command})"
  "${call}): there is already a test perf.host.mm.own.f16.1x2x3: IMPLS needs another name, or OP")
expect_error_of(same_test_elsewhere
  "file(WRITE \${CMAKE_CURRENT_SOURCE_DIR}/below/CMakeLists.txt \"${call} ${right} ${command})\")
add_subdirectory(below)\n${call} ${right} ${command})"
  "${call}): there is already a test perf.host.mm.own.f16.1x2x3: IMPLS needs another name, or OP")
