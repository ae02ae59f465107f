include(${CMAKE_CURRENT_LIST_DIR}/project.cmake)

expect_error(method "METHOD event" "METHOD: unknown value 'event', allowed: auto, graph, direct")
expect_error(cache "CACHE hot" "CACHE: unknown value 'hot', allowed: cold, warm, mixed")
expect_error(schedule "SCHEDULE fast"
  "SCHEDULE: unknown value 'fast', allowed: adaptive, reference")
expect_error(sustained "SUSTAINED yes" "SUSTAINED: unknown value 'yes', allowed: AUTO, ON, OFF")
expect_error(return_mode "RETURN_MODE p50"
  "RETURN_MODE: unknown value 'p50', allowed: mean, median, min, max, all")
foreach(value IN ITEMS ten 1e3 -1 1. .5)
  expect_error(warmup_${value} "WARMUP_MS ${value}" "WARMUP_MS: '${value}', allowed: a number of ms")
endforeach()
foreach(value IN ITEMS ten -1 5% 1000)
  string(MAKE_C_IDENTIFIER "tolerance_${value}" name)
  expect_error(${name} "BASELINE b TOLERANCE ${value}"
    "TOLERANCE: '${value}', allowed: percent, 0 to 999")
endforeach()
expect_error(tolerance_alone "TOLERANCE 5" "TOLERANCE is for BASELINE, which is not given")
expect_error(rep "REP_MS 5ms" "REP_MS: '5ms', allowed: a number of ms")
foreach(value IN ITEMS 0 -5 1.5 never 100000)
  expect_error(timeout_${value} "TIMEOUT ${value}"
    "TIMEOUT: '${value}', allowed: whole seconds, 1 to 99999")
endforeach()
foreach(value IN ITEMS 1.5 -0.1 nan 50% 1.01)
  string(MAKE_C_IDENTIFIER "quantile_${value}" name)
  expect_error(${name} "QUANTILES 0.5 ${value}"
    "QUANTILES: '${value}', allowed: numbers in [0, 1]")
endforeach()
expect_error(label "LABELS \"a b\"" "LABELS: 'a b', allowed: [A-Za-z0-9._-]")
expect_error(variable "TEST_NAMES_OUT a-b" "TEST_NAMES_OUT: 'a-b', allowed: the name of a variable")
expect_error(property "PROPERTIES COLOUR red" "PROPERTIES: unknown value 'COLOUR', allowed: ATTACHED")
foreach(property IN ITEMS PASS_REGULAR_EXPRESSION SKIP_REGULAR_EXPRESSION WILL_FAIL RESOURCE_LOCK
    RESOURCE_GROUPS SKIP_RETURN_CODE)
  expect_error(property_${property} "PROPERTIES ${property} x"
    "PROPERTIES: unknown value '${property}', allowed: ATTACHED")
endforeach()
expect_error(property_without_value "PROPERTIES COST 5 PROCESSORS"
  "PROPERTIES: PROCESSORS has no value")
expect_error(versus "VERSUS cublaslt" "VERSUS: unknown value 'cublaslt', allowed: own")

function(expect_impls_error name impls message)
  expect_error_of("${name}"
    "zl_add_perf_test(OP mm CASE mm.cpp TYPES f16 SHAPES 1x2x3 IMPLS ${impls})"
    "zl_add_perf_test(OP mm): ${message}")
endfunction()
expect_impls_error(impl_slash "a/b" "IMPLS 'a/b': 'a/b', allowed: [A-Za-z0-9._-]")
expect_impls_error(impl_backend "rocm:x"
  "IMPLS 'rocm:x', backend: unknown value 'rocm', allowed: host, cuda, musa")
expect_impls_error(impl_no_name "cuda:" "IMPLS 'cuda:': '', allowed: [A-Za-z0-9._-]")
expect_impls_error(impl_repeated "own own" "IMPLS of host: 'own' is repeated")
expect_impls_error(impl_repeated_on_cuda "own cuda:own" "IMPLS of cuda: 'own' is repeated")

function(expect_types_error name types message)
  expect_error_of("${name}"
    "zl_add_perf_test(OP mm CASE mm.cpp TYPES ${types} SHAPES 1x2x3 IMPLS own)"
    "zl_add_perf_test(OP mm): ${message}")
endfunction()
set(types "f16, bf16, e4m3, f32, f64, i32, i64, u8")
expect_types_error(type "f16 half" "TYPES 'half': unknown value 'half', allowed: ${types}")
expect_types_error(type_in_tuple "e4m3:e4m3:e5m2"
  "TYPES 'e4m3:e4m3:e5m2': unknown value 'e5m2', allowed: ${types}")
expect_types_error(type_empty "f16:" "TYPES: 'f16:', allowed: types joined by ':'")
expect_types_error(type_repeated "f16 f32 f16" "TYPES: 'f16' is repeated")

expect_error_of(op_name "zl_add_perf_test(OP m-m CASE mm.cpp TYPES f16 SHAPES 1x2x3 IMPLS own)"
  "zl_add_perf_test(OP m-m): OP: 'm-m', allowed: letters, digits and _, as it stands in ZL_OP()")
expect_error(second_call
  "BACKENDS cuda)\nadd_executable(zl_mm_host IMPORTED)\n\
zl_add_perf_test(OP mm CASE mm.cpp TYPES f16 SHAPES 1x2x3 IMPLS own"
  "OP: there is already a zl_mm_host, allowed: one call for each op")
