include(${CMAKE_CURRENT_LIST_DIR}/project.cmake)

set(all_keywords "OP, CASE, VERSUS, METHOD, CACHE, SCHEDULE, SUSTAINED, WARMUP_MS, REP_MS, \
RETURN_MODE, TIMEOUT, BASELINE, TOLERANCE, TEST_NAMES_OUT, SOURCES, GPU_SOURCES, CUDA_SOURCES, MUSA_SOURCES, \
HOST_SOURCES, TYPES, SHAPES, HOST_SHAPES, CASES, IMPLS, BACKENDS, QUANTILES, DENY_CAPTURE, \
LIBRARIES, LABELS, PROPERTIES")

foreach(keyword IN ITEMS ISOLATION SHAPE)
  expect_error(unknown_${keyword} "${keyword} x"
    "unknown keyword '${keyword}', allowed: ${all_keywords}")
  expect_error(unknown_${keyword}_after_labels "LABELS a ${keyword} x" "unknown keyword '${keyword}'")
endforeach()
expect_error(unknown_after_libraries "LIBRARIES m ISOLATION x" "unknown keyword 'ISOLATION'")
expect_error(unknown_after_one_value "METHOD graph ISOLATION x" "unknown keyword 'ISOLATION'")
expect_error(two_values "METHOD graph direct" "unknown keyword 'direct'")
expect_error_of(unknown_first "zl_add_perf_test(mm OP mm CASE mm.cpp TYPES f16 SHAPES 1x2x3 IMPLS own)"
  "zl_add_perf_test(OP mm): unknown keyword 'mm', allowed: OP")
expect_error(twice "IMPLS other" "IMPLS is given twice")

foreach(keyword IN ITEMS VERSUS METHOD CACHE SCHEDULE SUSTAINED WARMUP_MS REP_MS RETURN_MODE TIMEOUT
    BASELINE TOLERANCE TEST_NAMES_OUT SOURCES GPU_SOURCES CUDA_SOURCES MUSA_SOURCES HOST_SOURCES HOST_SHAPES CASES
    BACKENDS QUANTILES DENY_CAPTURE LIBRARIES LABELS PROPERTIES)
  expect_error(no_value_${keyword} "${keyword}" "${keyword} has no value")
endforeach()
expect_error(no_value_in_the_middle "METHOD CACHE cold" "METHOD has no value")
expect_error(empty_value "VERSUS \"\"" "VERSUS has no value")
expect_error_of(no_value_OP "zl_add_perf_test(OP CASE mm.cpp TYPES f16 SHAPES 1x2x3 IMPLS own)"
  "zl_add_perf_test(): OP has no value")
expect_error_of(no_value_TYPES "zl_add_perf_test(OP mm CASE mm.cpp TYPES SHAPES 1x2x3 IMPLS own)"
  "zl_add_perf_test(OP mm): TYPES has no value")

expect_error_of(nothing "zl_add_perf_test()" "zl_add_perf_test(): OP is missing")
expect_error_of(no_OP "zl_add_perf_test(CASE mm.cpp TYPES f16 SHAPES 1x2x3 IMPLS own)"
  "zl_add_perf_test(): OP is missing")
expect_error_of(no_CASE "zl_add_perf_test(OP mm TYPES f16 SHAPES 1x2x3 IMPLS own)"
  "zl_add_perf_test(OP mm): CASE is missing")
expect_error_of(no_TYPES "zl_add_perf_test(OP mm CASE mm.cpp SHAPES 1x2x3 IMPLS own)"
  "zl_add_perf_test(OP mm): TYPES is missing")
expect_error_of(no_IMPLS "zl_add_perf_test(OP mm CASE mm.cpp TYPES f16 SHAPES 1x2x3)"
  "zl_add_perf_test(OP mm): IMPLS is missing")
expect_error_of(no_shapes "zl_add_perf_test(OP mm CASE mm.cpp TYPES f16 IMPLS own)"
  "zl_add_perf_test(OP mm): no shapes: one of SHAPES, CASES and HOST_SHAPES is needed")
